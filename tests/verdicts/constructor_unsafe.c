// expect: FALSE(unreach-call)
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
static int n;
__attribute__((constructor)) static void begin(void) { n = __VERIFIER_nondet_int(); }
int main(void) {
    if (n == 7) reach_error();
    return 0;
}
