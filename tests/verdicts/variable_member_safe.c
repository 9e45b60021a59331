// expect: TRUE
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 5) return 0;
    struct s { int head; char tail[n]; } x;
    if (sizeof(struct s) != (n + 7) / 4 * 4 || sizeof x.tail != n) reach_error();
    x.head = 3;
    x.tail[n - 1] = 1;
    if (x.head != 3 || x.tail[n - 1] != 1) reach_error();
    return 0;
}
