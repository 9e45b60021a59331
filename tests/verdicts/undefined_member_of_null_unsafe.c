// expect: FALSE(valid-deref)
// property: valid-memsafety
// C11 6.5.3.2p4: a null pointer is dereferenced.
struct s { int a, b; };
int main(void)
{
    struct s *p = 0;
    p->b;
    return 0;
}
