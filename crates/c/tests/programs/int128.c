/* lp64 only: 128-bit integers. */
void report(unsigned long long value);

typedef unsigned __int128 u128;
typedef __int128_t s128;

static void report_wide(u128 x) {
    report(x >> 64);
    report(x);
}

static u128 multiply(unsigned long long a, unsigned long long b) {
    return (u128)a * b;
}

static u128 factorial(int n) {
    u128 r = 1;
    while (n > 1) {
        r *= n--;
    }
    return r;
}

int main(void) {
    report(sizeof(__int128) + 100 * sizeof(u128));
    report_wide(multiply(-1, -1));
    report_wide(factorial(33));
    report_wide(factorial(33) / factorial(20));
    report_wide(factorial(33) % 1000000007);
    s128 x = -5;
    report_wide(x);
    report_wide(x / 2);
    report_wide(x % 3);
    report_wide(x >> 1);
    report_wide(x << 100);
    report_wide((u128)x >> 100);
    report(x < 0);
    report(x < 0u);
    report(x < (u128)0);
    report((long long)x);
    report((unsigned)x);
    report_wide(-(unsigned)1 + x);
    report_wide((__int128)1 << 127);
    x = 0x7fffffffffffffff;
    x *= x;
    report_wide(x);
    x++;
    x = -x;
    report_wide(~x ^ 12345);
    report((_Bool)((u128)1 << 90));
    report(((u128)1 << 90) && 1);
    return 0;
}
