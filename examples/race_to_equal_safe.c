// Figure 1 of "Combining Symbolic Execution with Predicate Abstraction and CEGAR": y runs after x. The loop may
// go round any number of times, so there are infinitely many paths to look at; with two predicates at the head of
// the loop there are few.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
    int y = __VERIFIER_nondet_int();
    if (n <= 0)
        return 0;
    int x = 5;
    while (n > 0) {
        if (x != y)
            y = x;
        else
            x = x + 1;
        n = n - 1;
    }
    if (x - y > 1)
        reach_error();
    return 0;
}
