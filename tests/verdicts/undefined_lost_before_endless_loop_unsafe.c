// expect: FALSE(valid-memtrack)
// property: valid-memsafety
// A program without end has lost memory.
extern void *malloc(unsigned long);
extern void *realloc(void *, unsigned long);
extern void free(void *);
int main(void)
{
    int *p = malloc(4);
    p = 0;
    while (1)
        ;
}
