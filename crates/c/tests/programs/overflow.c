/* Builtins that compute exactly and say whether the result fits. */
void report(unsigned long long value);

typedef signed char s8;
typedef unsigned char u8;
typedef short s16;
typedef unsigned short u16;
typedef unsigned u32;
typedef long long s64;
typedef unsigned long long u64;

static const s64 numbers[] = {
    0, 1, -1, 2, -2, 7, 127, 128, -128, -129, 255, 256, 32767, -32768, 65535, 65536, 46341, 2147483647,
    -2147483647 - 1, 2147483648, 4294967295, 4294967296, 3037000500, 9223372036854775807,
    -9223372036854775807 - 1, -4294967296, 6442450941,
};
#define COUNT (sizeof numbers / sizeof numbers[0])

#define TRY(A, B, R)                                                       \
    for (unsigned i = 0; i < COUNT; i++) {                                 \
        u64 sum = 0, bits = 0;                                             \
        for (unsigned j = 0; j < COUNT; j++) {                             \
            A a = numbers[i];                                              \
            B b = numbers[j];                                              \
            R r = 77;                                                      \
            bits = bits * 2 + __builtin_add_overflow(a, b, &r);            \
            sum = sum * 31 + r;                                            \
            bits = bits * 2 + __builtin_sub_overflow(a, b, &r);            \
            sum = sum * 31 + r;                                            \
            bits = bits * 2 + __builtin_mul_overflow(a, b, &r);            \
            sum = sum * 31 + r;                                            \
            bits = bits * 3 + __builtin_mul_overflow_p(a, b, (R)0);        \
            bits = bits * 3 + __builtin_add_overflow_p(a, b, (R)0);        \
            bits = bits * 3 + __builtin_sub_overflow_p(a, b, r);           \
        }                                                                  \
        report(sum);                                                       \
        report(bits);                                                      \
    }

static void mixed(void) {
    TRY(int, int, int)
    TRY(u32, u32, u32)
    TRY(int, u32, int)
    TRY(int, u32, u32)
    TRY(u32, int, s64)
    TRY(s64, s64, s64)
    TRY(u64, u64, u64)
    TRY(u64, u64, s64)
    TRY(u64, s64, s64)
    TRY(s64, u64, u64)
    TRY(s64, int, u8)
    TRY(u64, u64, int)
    TRY(s8, u16, s16)
    TRY(_Bool, s64, s8)
    TRY(long, unsigned long, long)
    TRY(s16, s16, u64)
}

#define TYPED(T, NAME)                                                     \
    for (unsigned i = 0; i < COUNT; i++) {                                 \
        for (unsigned j = 0; j < COUNT; j += 3) {                          \
            T a = numbers[i], b = numbers[j], r = 0;                       \
            u64 bits = NAME(add)(a, b, &r);                                \
            u64 sum = r;                                                   \
            bits = bits * 2 + NAME(sub)(a, b, &r);                         \
            sum = sum * 31 + r;                                            \
            bits = bits * 2 + NAME(mul)(numbers[i], b, &r);                \
            report((sum * 31 + r) * 8 + bits);                             \
        }                                                                  \
    }

#define S(OP) __builtin_s##OP##_overflow
#define SL(OP) __builtin_s##OP##l_overflow
#define SLL(OP) __builtin_s##OP##ll_overflow
#define U(OP) __builtin_u##OP##_overflow
#define UL(OP) __builtin_u##OP##l_overflow
#define ULL(OP) __builtin_u##OP##ll_overflow

static void typed(void) {
    TYPED(int, S)
    TYPED(long, SL)
    TYPED(s64, SLL)
    TYPED(u32, U)
    TYPED(unsigned long, UL)
    TYPED(u64, ULL)
}

static int calls;

static int called(int value) {
    calls++;
    return value;
}

struct pair {
    u8 low;
    s16 high;
};

static void effects(void) {
    int results[4] = {0};
    int *p = results;
    for (int i = 0; i < 3; i++) {
        report(__builtin_add_overflow(called(2147483646), called(i), p++));
    }
    report(p - results);
    for (int i = 0; i < 4; i++) {
        report(results[i]);
    }
    report(__builtin_mul_overflow_p(called(7), called(40), (u8)0));
    report(calls);
    struct pair pair = {1, 2};
    report(__builtin_add_overflow(pair.low, 255, &pair.low));
    report(pair.low);
    report(__builtin_mul_overflow(pair.high, 1 << 14, &pair.high));
    report((u64)pair.high);
    int x = 5;
    if (__builtin_sub_overflow(x, 6u, &x)) {
        report(1);
    }
    report((u64)x);
    report(sizeof(__builtin_add_overflow(x, x, &x)));
    static const int folded = __builtin_add_overflow_p(1, 2147483647, 0);
    report(folded);
    report(__builtin_mul_overflow_p(0x7fffffffffffffff, 3u, 0ull));
}

int main(void) {
    mixed();
    typed();
    effects();
    return 0;
}
