// expect: TRUE
// property: valid-memsafety
// Texts that end, or are cut before they would go on.
extern int printf(const char *format, ...);
extern int puts(const char *s);
extern void perror(const char *s);

int main(void) {
    char s[3] = {1, 2, 0}, open[2] = {1, 2};
    const char *constant = "constant";
    puts(s);
    printf("%s %.2s %.*s\n", s, open, 1, open);
    puts(constant + 3);
    perror(0);
    return 0;
}
