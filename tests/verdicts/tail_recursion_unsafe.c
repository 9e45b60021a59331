// expect: FALSE(unreach-call)
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

/* Each call has an input of its own, and the arguments change places. */
int meet(int low, int high, int calls)
{
    int step = __VERIFIER_nondet_int();
    if (calls == 0)
        return low - high;
    if (step < 1 || step > 3)
        return 100;
    return meet(high - step, low + step, calls - 1);
}

int main(void)
{
    if (meet(0, 10, 3) == 0)
        reach_error();
    return 0;
}
