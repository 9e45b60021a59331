// expect: FALSE(no-overflow)
// property: no-overflow
// An argument of a function without body is evaluated.
extern int any(int);
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int x = __VERIFIER_nondet_int();
    any(x * 2);
    return 0;
}
