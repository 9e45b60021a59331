// expect: FALSE(valid-deref)
// property: valid-memsafety
// C11 7.22.3p1: memory is used that was freed.
extern void *malloc(unsigned long);
extern void *realloc(void *, unsigned long);
extern void free(void *);
int main(void)
{
    int *p = malloc(8);
    free(p);
    p[1];
    return 0;
}
