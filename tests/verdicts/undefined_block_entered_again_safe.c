// expect: TRUE
// property: valid-memsafety
// The twin that is defined.
int main(void)
{
    int *p = 0, a = 0;
    for (int i = 0; i < 2; i++) {
        a = i;
        if (p)
            return *p - 1;
        p = &a;
    }
    return 0;
}
