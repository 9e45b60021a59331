// expect: TRUE
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);
struct __attribute__((scalar_storage_order("big-endian"))) big { unsigned short s; unsigned n; float f; };
static struct big given = {0x1234, 0x89abcdef, 1.0f};
int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    unsigned char *bytes = (unsigned char *)&given;
    if (bytes[0] != 0x12 || bytes[1] != 0x34 || bytes[4] != 0x89 || bytes[8] != 0x3f) reach_error();
    given.n = n;
    if (given.n != n || bytes[4] != n >> 24 || given.f != 1.0f) reach_error();
    return 0;
}
