// expect: TRUE
// property: valid-memsafety
// The twin that is defined.
int main(void)
{
    char s[] = "ab";
    s[0] = 0;
    return 0;
}
