// expect: FALSE(unreach-call)
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int a[3] = { 0 };
    int i = __VERIFIER_nondet_int();
    a[i] = 7;
    if (a[1] == 7) {
        reach_error();
    }
    return 0;
}
