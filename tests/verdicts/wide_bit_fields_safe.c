// expect: TRUE

extern unsigned long long __VERIFIER_nondet_ulonglong(void);
extern void reach_error(void);

struct wide {
    unsigned long long value : 40;
};

int main(void)
{
    struct wide x;
    x.value = __VERIFIER_nondet_ulonglong();
    // gcc computes in 40 bits.
    if (x.value + 1 > 0xffffffffffull)
        reach_error();
    if (((x.value << 8) >> 8) > 0xffffffffull)
        reach_error();
    return 0;
}
