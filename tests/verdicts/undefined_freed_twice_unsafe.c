// expect: FALSE(valid-free)
// property: valid-memsafety
// C11 7.22.3.3p2: memory is freed twice.
extern void *malloc(unsigned long);
extern void *realloc(void *, unsigned long);
extern void free(void *);
int main(void)
{
    int *p = malloc(8);
    free(p);
    free(p);
    return 0;
}
