// expect: TRUE
// property: valid-memsafety
// The twin that is defined.
extern void *malloc(unsigned long);
extern void *realloc(void *, unsigned long);
extern void free(void *);
int main(void)
{
    int *p = malloc(8);
    free(p + 1 - 1);
    return 0;
}
