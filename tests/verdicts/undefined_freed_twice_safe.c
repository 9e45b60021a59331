// expect: TRUE
// property: valid-memsafety
// The twin that is defined.
extern void *malloc(unsigned long);
extern void *realloc(void *, unsigned long);
extern void free(void *);
int main(void)
{
    int *p = malloc(8);
    free(p);
    p = 0;
    free(p);
    return 0;
}
