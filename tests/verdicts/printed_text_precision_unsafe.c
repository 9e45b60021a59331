// expect: FALSE(valid-deref)
// property: valid-memsafety
// A negative precision counts as none.
extern int printf(const char *format, ...);

int main(void) {
    char open[2] = {1, 2};
    int precision = -1;
    printf("%.*s\n", precision, open);
    return 0;
}
