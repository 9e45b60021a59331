// expect: TRUE
// property: valid-memsafety
// The twin that is defined.
extern int __VERIFIER_nondet_int(void);
extern void *malloc(unsigned long);
extern void *realloc(void *, unsigned long);
extern void free(void *);
int main(void)
{
    int n = 4;
    char a[n], *p = malloc(n);
    a[0] = p == a;
    free(p);
    return 0;
}
