// expect: TRUE
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);

union word { unsigned all; unsigned short half[2]; unsigned char byte[4]; struct { unsigned low : 12, high : 20; } bits; };

int main(void) {
    union word w;
    unsigned x = __VERIFIER_nondet_uint();
    w.all = x;
    if (w.half[1] != x >> 16 || w.byte[1] != (x >> 8 & 0xff) || w.bits.high != x >> 12) {
        reach_error();
    }
    w.byte[0] ^= 0xff;
    if ((w.all ^ x) != 0xff) {
        reach_error();
    }
    return 0;
}
