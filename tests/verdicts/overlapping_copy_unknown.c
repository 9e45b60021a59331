// expect: UNKNOWN(undefined behaviour)
// Memory that overlaps must be moved, not copied.
extern void __VERIFIER_error(void);
extern int __VERIFIER_nondet_int(void);
extern void *memcpy(void *to, const void *from, unsigned long n);

int main(void) {
    char text[8] = "abcdefg";
    int chosen = __VERIFIER_nondet_int();
    if (chosen) memcpy(text + 1, text, 3);
    if (chosen) __VERIFIER_error();
    return 0;
}
