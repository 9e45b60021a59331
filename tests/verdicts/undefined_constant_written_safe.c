// expect: TRUE
// property: valid-memsafety
// The twin that is defined.
int k = 5;
int main(void)
{
    const int *c = &k;
    int *p = (int *)c;
    *p = 6;
    return 0;
}
