// expect: UNKNOWN(unsupported)
// The format asks printf to store the number of characters.
extern int printf(const char *format, ...);
extern void __VERIFIER_error(void);

int main(void) {
    const char *format = "12%hhn";
    signed char written = 0;
    printf(format, &written);
    if (written == 2) __VERIFIER_error();
    return 0;
}
