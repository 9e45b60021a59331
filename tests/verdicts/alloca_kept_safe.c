// expect: TRUE
// A variable without initialiser is declared again and again; what alloca gave before stays as it is.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int *kept = __builtin_alloca(8 * sizeof *kept);
    int *either = kept;
    kept[3] = 7;
    for (int i = 0; i < 2; i++) {
        int fresh[8];
        fresh[3] = i;
        if (__VERIFIER_nondet_int()) either = fresh;
        either[0] = 1;
        either = kept;
    }
    if (kept[3] != 7) reach_error();
    return 0;
}
