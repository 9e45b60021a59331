// expect: TRUE
// Stretches that touch do not overlap.
extern void __VERIFIER_error(void);
extern void *memcpy(void *to, const void *from, unsigned long n), *memmove(void *to, const void *from, unsigned long n);
extern char *strcpy(char *to, const char *from), *strcat(char *to, const char *from);

int main(void) {
    char text[16] = "abc";
    memcpy(text + 4, text, 4);
    memmove(text + 1, text, 3);
    strcpy(text + 8, text + 4);
    strcat(text + 8, "d");
    if (text[1] != 'a' || text[10] != 'c' || text[11] != 'd') __VERIFIER_error();
    return 0;
}
