extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int *kept = 0;
    for (int i = 0; i < 2; i++) {
        int number = __VERIFIER_nondet_int();
        if (kept)
            return *kept;
        kept = &number;
    }
    return 0;
}
