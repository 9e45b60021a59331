// expect: TRUE
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    int table[8];
    for (int i = 0; i < 8; i++) {
        table[i] = i * i;
    }
    unsigned i = __VERIFIER_nondet_uint();
    if (i < 8 && table[i] != (int)(i * i)) {
        reach_error();
    }
    return 0;
}
