// expect: TRUE
// only: symexec-ia
// options: --timeout 60s
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

/* The level rises at most once a turn, so that it does not wrap around; what it is exactly is open. */
int main(void)
{
    int level = __VERIFIER_nondet_int();
    int turns = __VERIFIER_nondet_int();
    if (level < 1 || level > 800000 || turns > 800000)
        return 0;
    for (int turn = 0; turn < turns; turn++) {
        if (__VERIFIER_nondet_int())
            level++;
        if (level < 1)
            reach_error();
    }
    return 0;
}
