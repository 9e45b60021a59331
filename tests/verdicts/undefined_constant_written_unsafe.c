// expect: FALSE(valid-deref)
// property: valid-memsafety
// C11 6.7.3p6: an object is written that was defined with const.
const int k = 5;
int main(void)
{
    int *p = (int *)&k;
    *p = 6;
    return 0;
}
