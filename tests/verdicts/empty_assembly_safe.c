// expect: TRUE
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int n = __VERIFIER_nondet_int(), count = 0, hidden;
    __asm__ volatile("" : : "r"(count++) : "memory");
    __asm__("" : "=r"(hidden) : "0"(n));
    __asm__("" : "+r"(n));
    if (count != 1 || hidden != n) reach_error();
    return 0;
}
