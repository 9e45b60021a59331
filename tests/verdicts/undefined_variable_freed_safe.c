// expect: TRUE
// property: valid-memsafety
// The twin that is defined.
extern int __VERIFIER_nondet_int(void);
extern void *malloc(unsigned long);
extern void *realloc(void *, unsigned long);
extern void free(void *);
int main(void)
{
    int x;
    free(__VERIFIER_nondet_int() ? malloc(3) : 0);
    return 0;
}
