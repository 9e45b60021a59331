// expect: FALSE(unreach-call)
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);

static int twice(int x) { return 2 * x; }
static int negate(int x) { return -x; }
static int same(int x) { return x; }
static int (*const table[3])(int) = { twice, negate, same };

int main(void) {
    unsigned i = __VERIFIER_nondet_uint();
    if (i < 3 && table[i](21) == -21) {
        reach_error();
    }
    return 0;
}
