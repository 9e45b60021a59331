// expect: FALSE(valid-memtrack)
// property: valid-memsafety
// Lost memory counts wherever the program ends.
extern void *malloc(unsigned long);
extern void *realloc(void *, unsigned long);
extern void free(void *);
extern void abort(void);
int main(void)
{
    int *p = malloc(4);
    p = 0;
    abort();
}
