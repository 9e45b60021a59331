// expect: FALSE(valid-deref)
// property: valid-memsafety
// C11 6.2.4p6: a loop is left from inside of its block.
int main(void)
{
    int *p;
    for (;;) {
        int x = 3;
        p = &x;
        break;
    }
    return *p;
}
