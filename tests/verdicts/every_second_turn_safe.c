// expect: TRUE
// only: symexec-ia
// options: --timeout 60s
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

/* How the counters are related is different in even turns and in odd ones. */
int main(void)
{
    int pairs = __VERIFIER_nondet_int();
    int opened = 0;
    int closed = 0;
    if (pairs < 0 || pairs > 700000)
        return 0;
    for (int i = 0; i < 2 * pairs; i++)
        if ((i & 1) == 0)
            opened++;
        else
            closed++;
    if (opened != pairs || closed != pairs)
        reach_error();
    return 0;
}
