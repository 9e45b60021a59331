// expect: FALSE(unreach-call)
// options: --undefined assume
// The run to the error does nothing undefined; another one does.
extern int __VERIFIER_nondet_int(void);
extern void *malloc(unsigned long);
extern void free(void *);
extern void reach_error(void);

int main(void)
{
    int *number = malloc(sizeof *number);
    *number = 3;
    int early = __VERIFIER_nondet_int();
    if (early)
        free(number);
    if (*number == 3 && !early)
        reach_error();
    return 0;
}
