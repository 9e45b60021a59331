// expect: FALSE(unreach-call)
extern void reach_error(void);
extern void exit(int);
extern int __VERIFIER_nondet_int(void);
static int n;
__attribute__((destructor)) static void end(void) { if (n == 5) reach_error(); }
int main(void) {
    n = __VERIFIER_nondet_int();
    if (n > 3) exit(1);
    n = 0;
    return 0;
}
