/*
 * The midpoint of an interval, as found in binary searches for decades.
 *
 * Expected verdict: FALSE. The caller even checks its arguments, but `low + high` overflows for large
 * intervals, and the "midpoint" comes out negative.
 */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static void check(int condition) {
    if (!condition) {
        reach_error();
    }
}

static int midpoint(int low, int high) {
    return (low + high) / 2; /* correct would be: low + (high - low) / 2 */
}

int main(void) {
    int low = __VERIFIER_nondet_int();
    int high = __VERIFIER_nondet_int();

    if (low < 0 || high < low) {
        return 1; /* not an interval that a search would use */
    }

    int middle = midpoint(low, high);
    check(low <= middle && middle <= high);
    return 0;
}
