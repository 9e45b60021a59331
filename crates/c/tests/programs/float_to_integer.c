/* What gcc's instructions make of floating-point numbers that do not fit an integer type, which C leaves open. */
void report(unsigned long long value);

typedef unsigned long long u64;

volatile double values[] = {
    0.0, -0.0, 1.0, -1.0, -1.5, 255.0, 256.0, -128.5, -129.0, 32767.5, 32768.0, 65535.0, 65536.0, 70000.0, -32769.0,
    2147483647.0, 2147483648.0, -2147483648.0, -2147483649.0, 4294967295.0, 4294967296.0, 4294967297.0, -4294967296.0,
    5e9, -5e9, 1e10, 9223372036854774784.0, 9223372036854775808.0, -9223372036854775808.0, -9223372036854777856.0,
    18446744073709549568.0, 18446744073709551616.0, 1e30, -1e30, __builtin_inf(), -__builtin_inf(), __builtin_nan(""),
};

#define CONVERT(T)                                                                                             \
    for (int i = 0; i < (int)(sizeof values / sizeof *values); i++) {                                          \
        volatile float f = values[i];                                                                          \
        volatile double d = values[i];                                                                         \
        volatile long double l = values[i];                                                                    \
        report((u64)(T)f);                                                                                     \
        report((u64)(T)d);                                                                                     \
        report((u64)(T)l);                                                                                     \
    }

int main(void) {
    CONVERT(signed char)
    CONVERT(unsigned char)
    CONVERT(short)
    CONVERT(unsigned short)
    CONVERT(int)
    CONVERT(unsigned)
    CONVERT(long)
    CONVERT(unsigned long)
    CONVERT(long long)
    CONVERT(unsigned long long)
    CONVERT(_Bool)
    return 0;
}
