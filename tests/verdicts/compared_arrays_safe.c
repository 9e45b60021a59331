// expect: TRUE
// only: auto
// options: --timeout 60s
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static void check(int condition)
{
    if (!condition)
        reach_error();
}

/* Needs to know something about all elements up to i; one element, whichever, is enough. */
int main(void)
{
    int stored[30000];
    int given[30000];
    int is_same = 1;
    for (int i = 0; i < 30000; i++) {
        stored[i] = __VERIFIER_nondet_int();
        given[i] = __VERIFIER_nondet_int();
    }
    for (int i = 0; i < 30000; i++)
        if (stored[i] != given[i])
            is_same = 0;
    for (int i = 0; is_same && i < 30000; i++)
        check(stored[i] == given[i]);
    return 0;
}
