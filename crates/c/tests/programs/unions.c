/* Reading memory as another type: unions, character pointers, casts, memcpy. */
typedef unsigned long size_t;
void report(unsigned long long value);
#define R(...) report((unsigned long long)(__VA_ARGS__))
#ifdef __LP64__
void *memcpy(void *, const void *, size_t);
#else
void *memcpy(void *, const void *, unsigned);
#endif

union number { int i; unsigned u; short s[2]; char c[4]; unsigned char b[8]; long long l; int *p; };
union record { struct { int kind; char name[4]; } a; struct { int kind; short x, y; } b; long long all; };

static union number shared = { .l = 0x1122334455667788 };
static union record table[2] = { { { 1, "ab" } }, { .b = { 2, 3, 4 } } };

static int sum(const unsigned char *bytes, int count) {
    int total = 0;
    while (count-- > 0) {
        total = total * 3 + *bytes++;
    }
    return total;
}

static union number make(int x) {
    union number n;
    n.l = 0;
    n.s[0] = x;
    n.s[1] = -x;
    return n;
}

static unsigned by_copy(int value) {
    unsigned result;
    memcpy(&result, &value, sizeof result);
    return result;
}

static long long halves(int low, int high) {
    long long whole;
    int parts[2] = { low, high };
    memcpy(&whole, parts, 8);
    return whole;
}

static void swap_bytes(void *data, int size) {
    char *bytes = data;
    for (int i = 0, j = size - 1; i < j; i++, j--) {
        char keep = bytes[i];
        bytes[i] = bytes[j];
        bytes[j] = keep;
    }
}

int main(void) {
    union number n;
    int target = 5;
    n.l = 0;
    n.i = -2;
    R(n.u); R(n.s[0]); R(n.s[1]); R(n.c[3]); R(n.b[2]); R(n.l);
    n.c[1] = 0x41; R(n.i); n.b[7] = 0x80; R(n.l < 0); R(n.l);
    R(shared.i); R(shared.s[1]); R(shared.b[7]); shared.s[0]++; R(shared.l);
    n.p = &target; *n.p += 2; R(target);
    union number copy = n; R(*copy.p); R(copy.l == n.l);
    R(make(300).i); R(make(7).s[1]); R(make(-1).c[2]);
    R(table[0].b.x); R(table[0].all); R(table[1].a.name[2]); table[1].b.y = 0x4142; R(table[1].a.name[3]);
    R(sum((unsigned char *)&target, 4)); R(sum((unsigned char *)table, sizeof table));
    R(by_copy(-3)); R(halves(-1, 2)); R(halves(4, -5));
    int value = 0x01020304; swap_bytes(&value, 4); R(value);
    long long wide = 0x0102030405060708; swap_bytes(&wide, 8); R(wide);
    short shorts[4] = { 1, 2, 3, 4 };
    R(*(int *)shorts); R(*(long long *)shorts); *(int *)(shorts + 2) = 0x00070006; R(shorts[3]); R(shorts[2]);
    char *walk = (char *)shorts; R(walk[2]); walk[3] = 1; R(shorts[1]); R(*(short *)(walk + 2));
    int ints[3] = { 1, 2, 3 };
    long long two; memcpy(&two, ints + 1, sizeof two); R(two);
    memcpy((char *)ints + 2, (char *)&ints[1] + 1, 3); R(ints[0]); R(ints[1]);
    unsigned char raw[12] = { 1, 0, 0, 0, 2, 0, 0, 0, 255, 255, 255, 255 };
    int decoded[3]; memcpy(decoded, raw, sizeof raw); R(decoded[0]); R(decoded[1]); R(decoded[2]);
    unsigned word = 0; for (int i = 0; i < 4; i++) { ((unsigned char *)&word)[i] = i * 50; } R(word);
    R(((union number){ .i = 70000 }).s[0]); R(((union { int a; char b; }){ 513 }).b);
    int *pointers[2] = { &ints[1], 0 }; int *back; memcpy(&back, pointers, sizeof back); R(*back);
    unsigned long address = (unsigned long)&ints[2]; R(*(int *)address); R(*(int *)(address - 4));
    address |= 1; R(address & 1); R(*(int *)(address & ~1ul)); R(*(int *)(address ^ 1));
    R((unsigned long)(ints + 2) - (unsigned long)ints); R((char *)&ints[2] - (char *)&ints[0]);
    unsigned long *hidden = (unsigned long *)&back; R(*hidden == (unsigned long)&ints[1]); *hidden += 4; R(*back);
    _Bool flag; *(char *)&flag = 1; R(flag); R(!flag);
    return 0;
}
