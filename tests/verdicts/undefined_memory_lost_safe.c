// expect: TRUE
// property: valid-memsafety
// Memory that static variables point to at the end is tracked.
extern void *malloc(unsigned long);
extern void *realloc(void *, unsigned long);
extern void free(void *);
void *kept[2];
int main(void)
{
    kept[0] = malloc(4);
    kept[1] = malloc(4);
    return 0;
}
