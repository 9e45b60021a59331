// expect: FALSE(valid-free)
// property: valid-memsafety
// C11 7.22.3.3p2: what alloca or a declaration gave is freed.
extern int __VERIFIER_nondet_int(void);
extern void *malloc(unsigned long);
extern void *realloc(void *, unsigned long);
extern void free(void *);
int main(void)
{
    int n = 4;
    char a[n], *p = __builtin_alloca(8);
    free(__VERIFIER_nondet_int() ? a : p);
    return 0;
}
