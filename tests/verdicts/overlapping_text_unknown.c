// expect: UNKNOWN(undefined behaviour)
// A text must not be copied onto itself.
extern void __VERIFIER_error(void);
extern char *strcpy(char *to, const char *from), *strcat(char *to, const char *from);

int main(void) {
    char text[16] = "abcdefg";
    strcpy(text, text + 2);
    __VERIFIER_error();
    return 0;
}
