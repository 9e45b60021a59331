// expect: FALSE(valid-free)
// property: valid-memsafety
// C11 7.22.3.3p2: a string literal is freed.
extern void *malloc(unsigned long);
extern void *realloc(void *, unsigned long);
extern void free(void *);
int main(void)
{
    free("text");
    return 0;
}
