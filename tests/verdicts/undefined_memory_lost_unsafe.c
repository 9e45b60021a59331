// expect: FALSE(valid-memtrack)
// property: valid-memsafety
// The last pointer to allocated memory is overwritten.
extern void *malloc(unsigned long);
extern void *realloc(void *, unsigned long);
extern void free(void *);
void *kept;
int main(void)
{
    kept = malloc(4);
    kept = malloc(4);
    return 0;
}
