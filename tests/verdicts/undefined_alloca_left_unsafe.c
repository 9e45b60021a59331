// expect: FALSE(valid-deref)
// property: valid-memsafety
// gcc: what alloca gives ends with the function.
char *f(void)
{
    char *p = __builtin_alloca(8);
    *p = 1;
    return p;
}
int main(void)
{
    return *f();
}
