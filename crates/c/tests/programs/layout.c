/* Layout of structures and unions: offsets, padding, packing, alignment, bit-fields. */
#include <stddef.h>
void report(unsigned long long value);
#define R(...) report((unsigned long long)(__VA_ARGS__))

struct plain { char a; int b; short c; long d; char e; };
struct nested { char a; struct plain p[2]; char z; };
struct anonymous { int tag; union { int i; struct { short lo, hi; }; char bytes[4]; }; struct { int x, y; } pair; };
struct __attribute__((packed)) tight { char a; int b; short c; long long d; };
struct partly { char a; int b __attribute__((packed)); long long c; };
struct wide { char a; int b __attribute__((aligned(16))); char c; } ;
struct whole { char a; short b; } __attribute__((aligned(32)));
#pragma pack(push, 2)
struct two { char a; int b; long long c; };
#pragma pack(pop)
#pragma pack(1)
struct one { char a; long b; };
#pragma pack()
struct normal { char a; long b; };

struct bits { unsigned a : 3; signed b : 5; unsigned c : 11; int d : 13; };
struct spanning { unsigned a : 20; unsigned b : 20; unsigned c : 20; };
struct zero { char a : 4; int : 0; char b : 4; char c; unsigned short : 0; unsigned short d : 9; };
struct longer { unsigned long long a : 40; long long b : 24; unsigned long long c : 33; };
struct mixed { char a; int b : 4; char c; short d : 7; unsigned char e : 2; _Bool f : 1; };
struct __attribute__((packed)) tightbits { unsigned a : 3; unsigned b : 17; char c; unsigned d : 30; };
union bitunion { unsigned all; struct { unsigned lo : 8, mid : 16, hi : 8; } part; int s : 5; };
enum color { RED, GREEN = 5, BLUE = -3 };
struct enums { enum color a : 4; enum color b; _Bool c; _Bool d : 1; };
struct flexible { int n; short rest[]; };
struct empty { };
struct with_empty { int a; struct empty e; int b; };
union sized { char a[7]; short b; };

#define AT(type, member) R(offsetof(type, member))

static void offsets(void) {
    R(sizeof(struct plain)); AT(struct plain, b); AT(struct plain, c); AT(struct plain, d); AT(struct plain, e);
    R(sizeof(struct nested)); AT(struct nested, p[1].c); AT(struct nested, z);
    R(sizeof(struct anonymous)); AT(struct anonymous, hi); AT(struct anonymous, pair.y); AT(struct anonymous, bytes[3]);
    R(sizeof(struct tight)); AT(struct tight, b); AT(struct tight, d); R(_Alignof(struct tight));
    R(sizeof(struct partly)); AT(struct partly, b); AT(struct partly, c);
    R(sizeof(struct wide)); AT(struct wide, b); AT(struct wide, c); R(_Alignof(struct wide));
    R(sizeof(struct whole)); R(_Alignof(struct whole)); R(sizeof(struct whole[3]));
    R(sizeof(struct two)); AT(struct two, b); AT(struct two, c);
    R(sizeof(struct one)); AT(struct one, b); R(sizeof(struct normal)); AT(struct normal, b);
    R(sizeof(struct bits)); R(sizeof(struct spanning)); R(sizeof(struct zero)); AT(struct zero, c);
    R(sizeof(struct longer)); R(sizeof(struct mixed)); AT(struct mixed, c); R(sizeof(struct tightbits));
    AT(struct tightbits, c); R(sizeof(union bitunion)); R(sizeof(struct enums)); AT(struct enums, b);
    R(sizeof(struct flexible)); AT(struct flexible, rest); AT(struct flexible, rest[3]);
    R(sizeof(struct empty)); R(sizeof(struct with_empty)); AT(struct with_empty, b); R(sizeof(union sized));
    R(_Alignof(union sized)); R(sizeof(long)); R(sizeof(void *)); R(sizeof(long long)); R(_Alignof(long long));
    R(sizeof(((struct nested *)0)->p)); R(sizeof(enum color)); R(sizeof(long double)); R(sizeof(double));
}

static struct bits bits;
static struct spanning spanning;
static struct zero zero;
static struct longer longer;
static struct mixed mixed;
static struct tightbits tightbits;

static void dump(void *start, unsigned size) {
    unsigned char *bytes = start;
    for (unsigned i = 0; i < size; i++) {
        R(bytes[i]);
    }
}

static void fields(int x) {
    bits.a = x; bits.b = x + 9; bits.c = x * 77; bits.d = -x;
    R(bits.a); R(bits.b); R(bits.c); R(bits.d); dump(&bits, sizeof bits);
    R(bits.b = 31); R(bits.a = 15); R(bits.a++); R(bits.a); R(++bits.a); R(bits.b--); R(--bits.b); R(bits.c += 5000); R(bits.d <<= 5);
    R(bits.a - 8 < 0); R((unsigned)bits.a - 8 < 0); R(+bits.a - 8 < 0); R(bits.d >> 3); R(-bits.a < 0); R(~bits.c < 0); dump(&bits, sizeof bits);
    spanning.a = 0xABCDE + x; spanning.b = 0x12345; spanning.c = ~x; dump(&spanning, sizeof spanning);
    R(spanning.a); R(spanning.b); R(spanning.c); R(spanning.a << 12); R(spanning.a * 3 - spanning.b * 100 < 0);
    zero.a = x; zero.b = x + 1; zero.c = 100; zero.d = 511 - x; dump(&zero, sizeof zero);
    R(zero.a); R(zero.b); R(zero.d); R(zero.d++); R(zero.d);
    longer.a = 0x123456789AULL * (x + 3); longer.b = -x - 5; longer.c = ~0ULL; dump(&longer, sizeof longer);
    R(longer.a); R(longer.b); R(longer.c); R(longer.c + 1LL); R((unsigned long long)longer.a >> 4); R(longer.b * 2); longer.c += 2; R(longer.c);
    R(longer.a & ~1ULL); R((long long)longer.a - 1); R(longer.c & -1LL); R(longer.c > 0x1FFULL); R(longer.a--); R(!longer.c);
    mixed.a = x; mixed.b = 7; mixed.b += x; mixed.c = -1; mixed.d = 63; mixed.d++; mixed.e = 3; mixed.e++; mixed.f = x; 
    R(mixed.b); R(mixed.c); R(mixed.d); R(mixed.e); R(mixed.f); R(mixed.f = 2); R(mixed.f = 0); dump(&mixed, sizeof mixed);
    tightbits.a = x; tightbits.b = 0x1F0F0 + x; tightbits.c = 'q'; tightbits.d = 0x3ABCDEF1; dump(&tightbits, sizeof tightbits);
    R(tightbits.a); R(tightbits.b); R(tightbits.d); tightbits.d >>= 7; R(tightbits.d); R(tightbits.b ^= 0xFFFF); dump(&tightbits, sizeof tightbits);
}

static void unions(unsigned x) {
    union bitunion u;
    u.all = x;
    R(u.part.lo); R(u.part.mid); R(u.part.hi); R(u.s);
    u.part.mid = 0xBEEF; R(u.all); u.s = 9; R(u.all); u.part.hi--; R(u.all);
    struct enums e = { .a = GREEN, .b = BLUE, .c = 7, .d = 1 };
    R(e.a); R(e.b); R(e.c); R(e.d); e.c = x; R(e.c); e.d = x & 2; R(e.d); e.c--; R(e.c); e.c--; R(e.c); e.c++; R(e.c);
    struct anonymous a = { 3, .i = (int)x, .pair = { 1, 2 } };
    R(a.lo); R(a.hi); R(a.bytes[2]); a.hi = -2; R(a.i); R(a.pair.x + a.pair.y); R(a.tag);
    struct bits list[3] = { { 1, -1, 2, -2 }, { .d = 5 }, [2].c = 9, [2].b = 3 };
    int i = 0;
    list[i++].b += 4; list[i++].d = list[2].c--; 
    for (i = 0; i < 3; i++) { R(list[i].a); R(list[i].b); R(list[i].c); R(list[i].d); }
    struct bits copy = list[1], *pointer = &list[2];
    R(copy.d); pointer->c = pointer->b * 100; R(pointer->c); *pointer = copy; R(list[2].d);
    struct tight t[2] = { { 1, 2, 3, 4 }, { 5, 6, 7, 8 } };
    struct tight *q = t + 1;
    q->b *= 1000; q->d <<= 33; R(t[1].b); R(t[1].d); dump(t, sizeof t);
    int *inner = &t[0].b; *inner = 77; R(t[0].b);
}

struct whole aligned_a; char filler; struct whole aligned_b; 
static char aligned_c __attribute__((aligned(128)));
int main(void) {
    offsets();
    fields(3);
    fields(-6);
    unions(0x8C0FFEE7);
    char x; struct whole local; char y __attribute__((aligned(64)));
    R((unsigned long)&aligned_a % 32); R((unsigned long)&aligned_b % 32); R((unsigned long)&aligned_c % 128);
    R((unsigned long)&local % 32); R((unsigned long)&y % 64);
    return 0;
}
