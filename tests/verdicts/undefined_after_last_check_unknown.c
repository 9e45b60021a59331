// expect: UNKNOWN(undefined behaviour)
// Nothing is an error after the access, but what the program does from there on is anybody's guess: it is said.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void)
{
    int a[2] = {0, 0};
    int i = __VERIFIER_nondet_int();
    if (i * 2 == 7)
        reach_error();
    a[i] = 1;
    return 0;
}
