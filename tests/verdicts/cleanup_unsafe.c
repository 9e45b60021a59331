// expect: FALSE(unreach-call)
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
static void check(int *p) { if (*p == 3) reach_error(); }
int main(void) {
    int n __attribute__((cleanup(check))) = __VERIFIER_nondet_int();
    n++;
    return 0;
}
