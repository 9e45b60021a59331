// expect: FALSE(unreach-call)
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int abs(int x) { return x + 1; }
int main(void) {
    int x = __VERIFIER_nondet_int();
    if (x == -5 && abs(x) == 5) reach_error();
    return 0;
}
