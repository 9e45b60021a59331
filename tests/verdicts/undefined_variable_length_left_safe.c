// expect: TRUE
// property: valid-memsafety
// The twin that is defined.
int *g;
int f(int n)
{
    int a[n];
    a[0] = 0;
    g = a;
    return *g;
}
int main(void)
{
    return f(3);
}
