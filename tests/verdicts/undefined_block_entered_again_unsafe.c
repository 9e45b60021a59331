// expect: FALSE(valid-deref)
// property: valid-memsafety
// C11 6.2.4p6: each iteration has a variable of its own.
int main(void)
{
    int *p = 0;
    for (int i = 0; i < 2; i++) {
        int a = i;
        if (p)
            return *p;
        p = &a;
    }
    return 0;
}
