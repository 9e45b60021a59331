// expect: FALSE(valid-deref)
// property: valid-memsafety
// C11 6.2.4p2: the function of the variable has returned, and was called again.
int *kept;
int f(int again)
{
    int x = 3;
    if (again)
        return *kept;
    kept = &x;
    return 0;
}
int main(void)
{
    f(0);
    return f(1);
}
