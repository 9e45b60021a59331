// expect: FALSE(valid-memcleanup)
// property: valid-memcleanup
// Clean-up is asked for wherever the program ends.
extern void *malloc(unsigned long);
extern void *realloc(void *, unsigned long);
extern void free(void *);
extern void __VERIFIER_error(void);
int main(void)
{
    int *p = malloc(4);
    if (p)
        __VERIFIER_error();
    free(p);
    return 0;
}
