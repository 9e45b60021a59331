// expect: TRUE
// property: valid-memsafety
// The twin that is defined.
extern void *malloc(unsigned long);
extern void *realloc(void *, unsigned long);
extern void free(void *);
extern void abort(void);
int main(void)
{
    int *p = malloc(4);
    abort();
}
