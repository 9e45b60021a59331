// expect: TRUE
// property: valid-memsafety
// The twin that is defined.
int main(void)
{
    int *p = 0;
    {
        int x = 3, again = 0;
    back:
        if (again)
            return *p - 3;
        p = &x;
        again = 1;
        goto back;
    }
}
