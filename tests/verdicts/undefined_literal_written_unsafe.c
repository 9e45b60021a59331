// expect: FALSE(valid-deref)
// property: valid-memsafety
// C11 6.4.5p7: a string literal is written.
int main(void)
{
    char *s = "ab";
    s[0] = 0;
    return 0;
}
