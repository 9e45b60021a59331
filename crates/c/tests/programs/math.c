/* lp64 only: the library's functions need the library. */
#include <fenv.h>
#include <math.h>
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

static void report_extended(long double x) {
    union { long double l; struct { u64 low; unsigned short high; } parts; } bits = { 0 };
    bits.l = x;
    report(x != x ? 1 : bits.parts.low);
    report(x != x ? 1 : bits.parts.high);
}

volatile double values[] = {
    0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 1.5, 2.5, -2.5, 0.49999999999999994, 12.9, -12.1, 1e10, 4503599627370497.5, 1e300,
    -1e-310, 5e-324, 2.2250738585072014e-308, 3.0, 7.25, INFINITY, -INFINITY, NAN, 0x1.fffffep127, 1e-40,
};
#define COUNT (int)(sizeof values / sizeof *values)

#define ALL(T, S, show)                                                                                        \
    for (int i = 0; i < COUNT; i++) {                                                                          \
        T x = (T)values[i];                                                                                    \
        show(fabs##S(x));                                                                                      \
        show(sqrt##S(x));                                                                                      \
        show(floor##S(x));                                                                                     \
        show(ceil##S(x));                                                                                      \
        show(trunc##S(x));                                                                                     \
        show(round##S(x));                                                                                     \
        show(rint##S(x));                                                                                      \
        show(nearbyint##S(x));                                                                                 \
        show(logb##S(x));                                                                                      \
        if (fabs##S(x) < 1e9) {                                                                                \
            report(lrint##S(x));                                                                               \
            report(llrint##S(x));                                                                              \
            report(lround##S(x));                                                                              \
            report(llround##S(x));                                                                             \
        }                                                                                                      \
        report(isnan(x) != 0);                                                                                 \
        report(isinf(x) != 0);                                                                                 \
        report(isfinite(x) != 0);                                                                              \
        report(isnormal(x) != 0);                                                                              \
        report(x != x || signbit(x) != 0);                                                                     \
        report(fpclassify(x));                                                                                 \
        report(x != x ? 0 : ilogb##S(x));                                                                      \
        T whole = 0;                                                                                            \
        show(modf##S(x, &whole));                                                                              \
        show(whole);                                                                                           \
        int exponent = 0;                                                                                       \
        show(frexp##S(x, &exponent));                                                                          \
        report(exponent);                                                                                      \
        for (int n = -20000; n <= 20000; n += n > -1200 && n < 1200 ? 137 : 3801) {                             \
            show(ldexp##S(x, n));                                                                              \
            show(scalbn##S(x, n));                                                                             \
        }                                                                                                      \
        for (int k = 0; k < COUNT; k++) {                                                                      \
            T y = (T)values[k];                                                                                \
            show(fmod##S(x, y));                                                                               \
            show(remainder##S(x, y));                                                                          \
            show(copysign##S(x, y == y ? y : 1));                                                              \
            if (x != 0 || y != 0) {                                                                            \
                show(fmin##S(x, y));                                                                           \
                show(fmax##S(x, y));                                                                           \
            }                                                                                                  \
            show(fdim##S(x, y));                                                                               \
            show(nextafter##S(x, y));                                                                          \
            show(fma##S(x, y, (T)1.25));                                                                       \
            report(isunordered(x, y) + 2 * isless(x, y) + 4 * islessequal(x, y) + 8 * isgreater(x, y)          \
                   + 16 * isgreaterequal(x, y) + 32 * islessgreater(x, y));                                    \
        }                                                                                                      \
    }

int main(void) {
    ALL(float, f, report_float)
    ALL(double, , report_double)
    ALL(long double, l, report_extended)
    int modes[] = { FE_TONEAREST, FE_DOWNWARD, FE_UPWARD, FE_TOWARDZERO };
    for (int mode = 0; mode < 4; mode++) {
        report(fesetround(modes[mode]));
        report(fegetround());
        for (int i = 0; i < COUNT; i++) {
            double x = values[i];
            report_double(x + 0.1);
            report_double(x * 1e-300);
            report_double(x / 3);
            report_double(sqrt(x));
            report_double(rint(x));
            report_float((float)x);
            if (fabs(x) < 1e9)
                report(lrint(x));
            report_double(round(x));
            report_extended(x - 0.1L);
        }
        volatile long long wide = 0x7fffffffffffff01;
        report_double(wide);
        report_float(-wide);
    }
    report(fesetround(0x123) != 0);
    report(fegetround());
    report_double(nan("") != nan("") ? 1 : 0);
    return 0;
}
