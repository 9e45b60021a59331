// expect: FALSE(valid-free)
// property: valid-memsafety
// C11 7.22.3.3p2: what is freed is not what malloc gave.
extern void *malloc(unsigned long);
extern void *realloc(void *, unsigned long);
extern void free(void *);
int main(void)
{
    int *p = malloc(8);
    free(p + 1);
    return 0;
}
