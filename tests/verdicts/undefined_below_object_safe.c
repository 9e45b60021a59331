// expect: TRUE
// property: valid-memsafety
// Moving a pointer out of its object is undefined, but no access: the property is about accesses.
char a[100];
int main(void)
{
    char *p = a - 1;
    *(p + 1) = 3;
    return 0;
}
