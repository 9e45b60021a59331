// expect: TRUE
// property: valid-memsafety
// The twin of printed_null_unsafe.c.
extern int printf(const char *format, ...);

int main(void) {
    int value = 3;
    int *p = &value;
    printf("%d %u %ld %c %.2f %p %5s|%%\n", *p, *p, 7L, 'x', 1.5, (void *)p, "text");
    return 0;
}
