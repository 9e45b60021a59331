// expect: FALSE(valid-deref)
// property: valid-memsafety
// The text of puts ends with a zero.
extern int puts(const char *s);

int main(void) {
    char s[2] = {1, 2};
    puts(s);
    return 0;
}
