// expect: FALSE(unreach-call)

extern unsigned int __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

int main(void)
{
    static const void *table[] = { &&add, &&twice, &&done };
    int value = 0, steps = 0;
next:
    __VERIFIER_assume(steps++ < 6);
    unsigned int code = __VERIFIER_nondet_uint();
    __VERIFIER_assume(code < 3);
    goto *table[code];
add:
    value++;
    goto next;
twice:
    value *= 2;
    goto next;
done:
    if (value == 12)
        reach_error();
    return 0;
}
