// expect: TRUE
// A format that is not written in the call can make printf write only where there is a pointer to write through.
extern int printf(const char *format, ...);
extern void __VERIFIER_error(void);

int main(void) {
    const char *format = "%d\n";
    int written = 1;
    printf(format, written);
    if (written != 1) __VERIFIER_error();
    return 0;
}
