// expect: FALSE(valid-deref)
// property: valid-memsafety
// What %s reads must be alive.
extern int printf(const char *format, ...);
extern void *malloc(unsigned long size);
extern void free(void *memory);

int main(void) {
    char *s = malloc(4);
    s[0] = 0;
    free(s);
    printf("%s", s);
    return 0;
}
