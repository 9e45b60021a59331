// expect: FALSE(valid-deref)
// property: valid-memsafety
// C11 6.5.6p8: an access below the object.
char a[100];
int main(void)
{
    char *p = a - 1;
    *p = 3;
    return 0;
}
