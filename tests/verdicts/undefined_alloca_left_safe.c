// expect: TRUE
// property: valid-memsafety
// The twin that is defined.
char *f(char *p)
{
    *p = 0;
    return p;
}
int main(void)
{
    return *f(__builtin_alloca(8));
}
