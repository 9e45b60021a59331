// expect: TRUE
// property: valid-memsafety
// The twin that is defined.
int *kept;
int f(int again)
{
    static int x = 3;
    if (again)
        return *kept - 3;
    kept = &x;
    return 0;
}
int main(void)
{
    f(0);
    return f(1);
}
