// expect: FALSE(valid-deref)
// property: valid-memsafety
// A pointer that was never set points to no object, whatever it holds.
char first(char *text)
{
    while (*text != 0)
        text++;
    return *text;
}
int main(void)
{
    char *text;
    first(text);
    return 0;
}
