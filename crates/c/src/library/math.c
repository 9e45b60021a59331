// <math.h>, once for each of its types: `$` stands for the suffix of the functions, REAL for the type, BITS for an unsigned
// integer type that holds the bits of a value. What can be a single operator is known to the lowering instead.

// The exponent as it is stored.
unsigned int __asterlib_exponent$(REAL x) {
    return (unsigned int)(__builtin_aster_bits$(x) >> FRACTION) & (2 * BIAS + 1);
}

REAL __aster_fdim$(REAL x, REAL y) {
    return x <= y ? 0 : x - y;
}

REAL __aster_modf$(REAL x, REAL *whole) {
    REAL rounded = __builtin_trunc$(x);
    *whole = rounded;
    return __builtin_copysign$(x == rounded ? 0 : x - rounded, x);
}

REAL __aster_frexp$(REAL x, int *exponent) {
    unsigned int stored = __asterlib_exponent$(x);
    int moved = 0;
    if (x == 0 || stored == 2 * BIAS + 1) {
        *exponent = 0;
        return x;
    }
    if (stored == 0) {
        x = x * TWO_PRECISION;
        stored = __asterlib_exponent$(x);
        moved = FRACTION + 1;
    }
    *exponent = (int)stored - (BIAS - 1) - moved;
    return __builtin_aster_real$((__builtin_aster_bits$(x) & ~((BITS)(2 * BIAS + 1) << FRACTION)) | (BITS)(BIAS - 1) << FRACTION);
}

// Each factor but the last one is exact, or the result is far out of range.
REAL __aster_ldexp$(REAL x, int n) {
    if (n > BIAS) {
        x = x * TWO_BIAS;
        n = n - BIAS;
        if (n > BIAS) {
            x = x * TWO_BIAS;
            n = n - BIAS > BIAS ? BIAS : n - BIAS;
        }
    } else if (n < 1 - BIAS) {
        x = x * TWO_DOWN;
        n = n + (BIAS - FRACTION - 2);
        if (n < 1 - BIAS) {
            x = x * TWO_DOWN;
            n = n + (BIAS - FRACTION - 2) < 1 - BIAS ? 1 - BIAS : n + (BIAS - FRACTION - 2);
        }
    }
    return x * __builtin_aster_real$((BITS)(n + BIAS) << FRACTION);
}

REAL __aster_scalbn$(REAL x, int n) {
    return __aster_ldexp$(x, n);
}

REAL __aster_scalbln$(REAL x, long n) {
    return __aster_ldexp$(x, n > 100000 ? 100000 : n < -100000 ? -100000 : (int)n);
}

// FP_ILOGB0 and FP_ILOGBNAN are the smallest integer, infinities give the largest one.
int __aster_ilogb$(REAL x) {
    unsigned int stored = __asterlib_exponent$(x);
    if (x == 0 || x != x)
        return -2147483647 - 1;
    if (stored == 2 * BIAS + 1)
        return 2147483647;
    if (stored == 0)
        return (int)__asterlib_exponent$(x * TWO_PRECISION) - BIAS - (FRACTION + 1);
    return (int)stored - BIAS;
}

REAL __aster_logb$(REAL x) {
    if (x == 0)
        return -INF;
    if (!(x > -INF && x < INF))
        return x * x;
    return __aster_ilogb$(x);
}

// Bit patterns of numbers of one sign are in their order.
REAL __aster_nextafter$(REAL x, REAL y) {
    if (x != x || y != y)
        return x + y;
    if (x == y)
        return y;
    if (x == 0)
        return __builtin_copysign$(__builtin_aster_real$((BITS)1), y);
    return __builtin_aster_real$(__builtin_aster_bits$(x) + (x < y == x > 0 ? (BITS)1 : (BITS)-1));
}

// What follows is known by bounds only. They hold for every implementation that errs by a few units in the last place.
REAL __aster_sin$(REAL x) {
    REAL r = __builtin_aster_unknown$();
    return x == 0 ? x : !(x > -INF && x < INF) ? NAN : r >= -1 && r <= 1 ? r : 0;
}

REAL __aster_cos$(REAL x) {
    REAL r = __builtin_aster_unknown$();
    return x == 0 ? 1 : !(x > -INF && x < INF) ? NAN : r >= -1 && r <= 1 ? r : 0;
}

REAL __aster_tan$(REAL x) {
    REAL r = __builtin_aster_unknown$();
    return x == 0 ? x : !(x > -INF && x < INF) ? NAN : r > -INF && r < INF ? r : 0;
}

REAL __aster_asin$(REAL x) {
    REAL r = __builtin_aster_unknown$();
    return x == 0 ? x : !(x >= -1 && x <= 1) ? NAN : r >= (REAL)-1.6 && r <= (REAL)1.6 ? r : 0;
}

REAL __aster_acos$(REAL x) {
    REAL r = __builtin_aster_unknown$();
    return x == 1 ? 0 : !(x >= -1 && x <= 1) ? NAN : r >= 0 && r <= (REAL)3.2 ? r : 0;
}

REAL __aster_atan$(REAL x) {
    REAL r = __builtin_aster_unknown$();
    return x == 0 ? x : x != x ? NAN : r >= (REAL)-1.6 && r <= (REAL)1.6 ? r : 0;
}

REAL __aster_atan2$(REAL y, REAL x) {
    REAL r = __builtin_aster_unknown$();
    return x != x || y != y ? NAN : r >= (REAL)-3.2 && r <= (REAL)3.2 ? r : 0;
}

REAL __aster_sinh$(REAL x) {
    REAL r = __builtin_aster_unknown$();
    return x == 0 ? x : x != x ? NAN : r == r ? r : 0;
}

REAL __aster_cosh$(REAL x) {
    REAL r = __builtin_aster_unknown$();
    return x == 0 ? 1 : x != x ? NAN : r > 0 ? r : 1;
}

REAL __aster_tanh$(REAL x) {
    REAL r = __builtin_aster_unknown$();
    return x == 0 ? x : x != x ? NAN : r >= -1 && r <= 1 ? r : 0;
}

REAL __aster_asinh$(REAL x) {
    REAL r = __builtin_aster_unknown$();
    return x == 0 || !(x > -INF && x < INF) ? x : r > -INF && r < INF ? r : 0;
}

REAL __aster_acosh$(REAL x) {
    REAL r = __builtin_aster_unknown$();
    return x == 1 ? 0 : x == INF ? x : !(x >= 1) ? NAN : r >= 0 && r < INF ? r : 0;
}

REAL __aster_atanh$(REAL x) {
    REAL r = __builtin_aster_unknown$();
    return x == 0 ? x : !(x >= -1 && x <= 1) ? NAN : x == 1 ? INF : x == -1 ? -INF : r > -INF && r < INF ? r : 0;
}

REAL __aster_exp$(REAL x) {
    REAL r = __builtin_aster_unknown$();
    return x == 0 ? 1 : x != x ? NAN : x == INF ? x : x == -INF ? 0 : r >= 0 ? r : 0;
}

REAL __aster_exp2$(REAL x) {
    REAL r = __builtin_aster_unknown$();
    return x == 0 ? 1 : x != x ? NAN : x == INF ? x : x == -INF ? 0 : r >= 0 ? r : 0;
}

REAL __aster_expm1$(REAL x) {
    REAL r = __builtin_aster_unknown$();
    return x == 0 ? x : x != x ? NAN : x == INF ? x : x == -INF ? -1 : r >= -1 ? r : 0;
}

REAL __aster_log$(REAL x) {
    REAL r = __builtin_aster_unknown$();
    return x == 0 ? -INF : x == 1 ? 0 : x == INF ? x : !(x > 0) ? NAN : r >= -20000 && r <= 20000 ? r : 0;
}

REAL __aster_log2$(REAL x) {
    REAL r = __builtin_aster_unknown$();
    return x == 0 ? -INF : x == 1 ? 0 : x == INF ? x : !(x > 0) ? NAN : r >= -20000 && r <= 20000 ? r : 0;
}

REAL __aster_log10$(REAL x) {
    REAL r = __builtin_aster_unknown$();
    return x == 0 ? -INF : x == 1 ? 0 : x == INF ? x : !(x > 0) ? NAN : r >= -20000 && r <= 20000 ? r : 0;
}

REAL __aster_log1p$(REAL x) {
    REAL r = __builtin_aster_unknown$();
    return x == 0 ? x : x == -1 ? -INF : x == INF ? x : !(x > -1) ? NAN : r >= -20000 && r <= 20000 ? r : 0;
}

REAL __aster_pow$(REAL x, REAL y) {
    REAL r = __builtin_aster_unknown$();
    return y == 0 || x == 1 ? 1 : x != x || y != y ? NAN : x > 0 && !(r >= 0) ? 1 : r;
}

REAL __aster_cbrt$(REAL x) {
    REAL r = __builtin_aster_unknown$();
    return x == 0 || !(x > -INF && x < INF) ? x : r > -INF && r < INF ? r : 0;
}

REAL __aster_hypot$(REAL x, REAL y) {
    REAL r = __builtin_aster_unknown$();
    return x == INF || x == -INF || y == INF || y == -INF ? INF : x != x || y != y ? NAN : r >= 0 ? r : 0;
}

REAL __aster_erf$(REAL x) {
    REAL r = __builtin_aster_unknown$();
    return x == 0 ? x : x != x ? NAN : r >= -1 && r <= 1 ? r : 0;
}

REAL __aster_erfc$(REAL x) {
    REAL r = __builtin_aster_unknown$();
    return x == 0 ? 1 : x != x ? NAN : r >= 0 && r <= 2 ? r : 0;
}
