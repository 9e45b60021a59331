// expect: FALSE(valid-deref)
// property: valid-memsafety
// C11 6.2.4p7: an array of variable length ends with its block.
int *g;
void f(int n)
{
    int a[n];
    a[0] = 1;
    g = a;
}
int main(void)
{
    f(3);
    return *g;
}
