// expect: TRUE
// printf gives the number of characters or -1.
extern int printf(const char *format, ...);
extern void __VERIFIER_error(void);
extern int puts(const char *s);
extern int putchar(int c);

int main(void) {
    int n = printf("hello");
    if (n != 5 && n != -1) __VERIFIER_error();
    n = printf("%d%%", n);
    if (n < -1 || n > 12 || n == 0 || n == 1) __VERIFIER_error();
    n = puts("text");
    if (n < -1) __VERIFIER_error();
    n = putchar(-3);
    if (n != 253 && n != -1) __VERIFIER_error();
    return 0;
}
