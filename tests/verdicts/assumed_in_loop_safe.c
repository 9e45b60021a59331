// expect: TRUE
// options: --undefined assume
// Nothing bounds the index but that it is used; what is asked about is a sum that the abstraction can bound.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void)
{
    int steps[100];
    int position = 0, count = 0;
    while (__VERIFIER_nondet_int()) {
        steps[position] = 1;
        count = count + steps[position];
        position = position + 1;
        if (count > 100)
            reach_error();
    }
    return 0;
}
