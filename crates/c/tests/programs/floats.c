/* Arithmetic, comparisons and conversions of floating-point numbers, on special and ordinary values. */
void report(unsigned long long value);

typedef unsigned long long u64;

/* The sign and payload of a NaN that was computed are left open. */
static void report_float(float x) {
    union { float f; unsigned u; } bits = { x };
    report(x != x ? 1 : bits.u);
}

static void report_double(double x) {
    union { double d; u64 u; } bits = { x };
    report(x != x ? 1 : bits.u);
}

static void report_long_double(long double x) {
    union { long double l; struct { u64 low; unsigned short high; } parts; } bits;
    bits.l = x;
    report(x != x ? 1 : bits.parts.low);
    report(x != x ? 1 : bits.parts.high);
}

volatile double doubles[] = {
    0.0, -0.0, 1.0, -1.5, 0.1, 3.0, 1e10, -2147483648.0, 4294967295.0, 1e300, -1e-300, 5e-324, 2.2250738585072014e-308,
    1.7976931348623157e308, 9007199254740993.0, 0x1.fffffffffffffp-3, __builtin_inf(), -__builtin_inf(), 16777217.0,
    __builtin_nan(""), 123456.789, 0x1p63, 0x1p-149, 0x1.000001p0,
};
volatile float floats[] = {
    0.0f, -0.0f, 1.0f, -1.5f, 0.1f, 3.0f, 1e10f, -2147483648.0f, 1e38f, -1e-38f, 1e-45f, 3.40282347e38f, 16777216.0f,
    __builtin_inff(), -__builtin_inff(), __builtin_nanf("1"), 0x1.8p-24f, 7.0f,
};
volatile long double extended[] = {
    0.0L, -0.0L, 1.0L, -1.5L, 0.1L, 3.0L, 1e4000L, -1e-4000L, 18446744073709551615.0L, 3.6e-4951L, 1e-4940L,
    1.18973149535723176502e+4932L, __builtin_infl(), __builtin_nanl(""), 0x1.fffffffffffffffep-2L,
};
volatile long long integers[] = {
    0, 1, -1, 7, -123456789, 2147483647, -2147483647 - 1, 16777217, 16777219, 9007199254740993, 0x7fffffffffffffff,
    -0x7fffffffffffffff - 1, 0x7fffff8000000001, 0x7fffff4000000000,
};

#define COUNT(array) (int)(sizeof array / sizeof *array)

#define OPERATORS(T, array, show)                                                                              \
    for (int i = 0; i < COUNT(array); i++) {                                                                   \
        T x = array[i];                                                                                        \
        show(-x);                                                                                              \
        show(+x);                                                                                              \
        report(!x);                                                                                            \
        report(x ? 5 : 6);                                                                                     \
        report((_Bool)x);                                                                                      \
        T step = x;                                                                                            \
        show(step++);                                                                                          \
        show(++step);                                                                                          \
        show(step--);                                                                                          \
        show(--step);                                                                                          \
        for (int k = 0; k < COUNT(array); k++) {                                                               \
            T y = array[k];                                                                                    \
            show(x + y);                                                                                       \
            show(x - y);                                                                                       \
            show(x * y);                                                                                       \
            show(x / y);                                                                                       \
            report((x < y) | (x <= y) << 1 | (x > y) << 2 | (x >= y) << 3 | (x == y) << 4 | (x != y) << 5);    \
            report((x && y) + 2 * (x || y));                                                                   \
            T z = x;                                                                                           \
            z += y;                                                                                            \
            z *= 3;                                                                                            \
            z -= y / 7;                                                                                        \
            z /= 2.5f;                                                                                         \
            show(z);                                                                                           \
            show(x < y ? x : y);                                                                               \
        }                                                                                                      \
    }

#define FROM_INTEGERS(T)                                                                                       \
    for (int i = 0; i < COUNT(integers); i++) {                                                                \
        T n = (T)integers[i];                                                                                  \
        report_float(n);                                                                                       \
        report_double(n);                                                                                      \
        report_long_double(n);                                                                                 \
        n += 0.5f;                                                                                             \
        report((u64)n);                                                                                        \
    }

/* Only values that the type holds: others have no defined result. */
#define TO_INTEGER(T, low, high)                                                                               \
    for (int i = 0; i < COUNT(doubles); i++) {                                                                 \
        double x = doubles[i];                                                                                 \
        if (x > low - 1.0 && x < high + 1.0) {                                                                 \
            report((u64)(T)x);                                                                                 \
            report((u64)(T)(float)(x / 2));                                                                    \
            report((u64)(T)(long double)x);                                                                    \
        }                                                                                                      \
    }

static float mixed(float a, int b, double c) {
    return a * b + c;
}

static double sum(int count, ...) {
    __builtin_va_list list;
    __builtin_va_start(list, count);
    double total = 0;
    for (int i = 0; i < count; i++)
        total += i % 2 ? __builtin_va_arg(list, double) : __builtin_va_arg(list, int);
    total += (double)__builtin_va_arg(list, long double);
    __builtin_va_end(list);
    return total;
}

int main(void) {
    OPERATORS(float, floats, report_float)
    OPERATORS(double, doubles, report_double)
    OPERATORS(long double, extended, report_long_double)
    for (int i = 0; i < COUNT(doubles); i++) {
        report_float((float)doubles[i]);
        report_long_double(doubles[i]);
    }
    for (int i = 0; i < COUNT(extended); i++) {
        report_float((float)extended[i]);
        report_double((double)extended[i]);
    }
    for (int i = 0; i < COUNT(floats); i++)
        report_double(floats[i]);
    FROM_INTEGERS(signed char)
    FROM_INTEGERS(unsigned short)
    FROM_INTEGERS(int)
    FROM_INTEGERS(unsigned)
    FROM_INTEGERS(long long)
    TO_INTEGER(signed char, -128.0, 127.0)
    TO_INTEGER(unsigned char, 0.0, 255.0)
    TO_INTEGER(short, -32768.0, 32767.0)
    TO_INTEGER(int, -2147483648.0, 2147483647.0)
    TO_INTEGER(unsigned, 0.0, 4294967295.0)
    for (int i = 0; i < COUNT(integers); i++) {
        u64 n = integers[i];
        report_float(n);
        report_double(n);
        report_long_double(n);
    }
    float f = floats[4];
    report_double(f + doubles[4]);
    report_double(f * 3);
    report_float(f * 3);
    report_float(mixed(f, 1 << 25, doubles[4]));
    int n = 7;
    n *= 1.5;
    report(n);
    n -= 0.25f;
    report(n);
    unsigned char c = 200;
    c *= 1.25f;
    report(c);
    report_double(sum(4, 1, 2.5, 3, f, 0.125L));
    report(sizeof(f + 1) + 100 * sizeof(f + 1.0) + 10000 * (sizeof(f + 1.0L) > 8));
    report((int)2.9 + (int)-2.9 + (unsigned char)255.9);
    return 0;
}
