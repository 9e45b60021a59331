// expect: TRUE
// property: valid-memsafety
// C11 6.5.3.2p3: neither is an access, since the operators cancel.
struct s { int a, b; };
int main(void)
{
    struct s *p = 0;
    int *q = &p->b, *r = &*(int *)0;
    return r != 0;
}
