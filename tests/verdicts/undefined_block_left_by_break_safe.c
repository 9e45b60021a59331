// expect: TRUE
// property: valid-memsafety
// The twin that is defined.
int main(void)
{
    int *p, x;
    for (;;) {
        x = 3;
        p = &x;
        break;
    }
    return *p - 3;
}
