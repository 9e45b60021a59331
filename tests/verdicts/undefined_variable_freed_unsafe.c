// expect: FALSE(valid-free)
// property: valid-memsafety
// C11 7.22.3.3p2: a variable is freed.
extern int __VERIFIER_nondet_int(void);
extern void *malloc(unsigned long);
extern void *realloc(void *, unsigned long);
extern void free(void *);
int main(void)
{
    int x;
    free(__VERIFIER_nondet_int() ? &x : 0);
    return 0;
}
