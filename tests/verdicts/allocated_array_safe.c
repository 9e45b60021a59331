// expect: TRUE
// only: auto
// data-model: ilp32
extern int __VERIFIER_nondet_int(void);
extern void *malloc(unsigned long);
extern void reach_error(void);

/* As many elements as are asked for: that all accesses are inside is known from how much was allocated. */
int main(void)
{
    int count = __VERIFIER_nondet_int();
    if (count < 1 || count > 900)
        return 0;
    int *sevens = malloc(count * sizeof(int));
    for (int i = 0; i < count; i++)
        sevens[i] = 7;
    for (int i = 0; i < count; i++) {
        if (sevens[i] != 7)
            reach_error();
    }
    return 0;
}
