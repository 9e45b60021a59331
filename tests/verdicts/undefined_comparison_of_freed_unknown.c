// expect: UNKNOWN(undefined behaviour)
// The second allocation may get the address of the first.
extern void *malloc(unsigned long);
extern void *realloc(void *, unsigned long);
extern void free(void *);
extern void reach_error(void);
int main(void)
{
    int *p = malloc(4);
    free(p);
    int *q = malloc(4);
    if (p == q)
        reach_error();
    return 0;
}
