// expect: TRUE
// property: valid-memcleanup
// The twin that is defined.
extern void *malloc(unsigned long);
extern void *realloc(void *, unsigned long);
extern void free(void *);
extern void __VERIFIER_error(void);
int main(void)
{
    int *p = malloc(4);
    free(p);
    __VERIFIER_error();
    return 0;
}
