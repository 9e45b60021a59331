extern int __VERIFIER_nondet_int(void);
extern void *malloc(unsigned long);

int main(void)
{
    short *numbers = malloc(8);
    return numbers[1 - __VERIFIER_nondet_int()];
}
