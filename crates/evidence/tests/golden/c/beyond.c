extern int __VERIFIER_nondet_int(void);
static int numbers[4];

int main(void)
{
    int *last = numbers + __VERIFIER_nondet_int();
    last += 2;
    *last = 1;
    return 0;
}
