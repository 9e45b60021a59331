// expect: FALSE(valid-deref)
// property: valid-memsafety
// An argument of printf is evaluated.
extern int printf(const char *format, ...);

int main(void) {
    int *p = 0;
    printf("%d\n", *p);
    return 0;
}
