/* Every binary operator at every pair of integer types, on values at the edges of their ranges. */
void report(unsigned long long value);

typedef _Bool b;
typedef char c;
typedef signed char sc;
typedef unsigned char uc;
typedef short s;
typedef unsigned short us;
typedef int i;
typedef unsigned u;
typedef long l;
typedef unsigned long ul;
typedef long long ll;
typedef unsigned long long ull;

static unsigned long long hash;

#define NOTE(expression) (hash = hash * 1000003u + (unsigned long long)(expression))
#define UPDATE(T, operator, operand)                                                                           \
    do {                                                                                                       \
        T t = x;                                                                                               \
        NOTE(t operator operand);                                                                              \
        NOTE(t);                                                                                               \
    } while (0)

#define OPERATORS(T, U)                                                                                        \
    static void operators_##T##_##U(T x, U y) {                                                                \
        NOTE(x + y);                                                                                           \
        NOTE(x - y);                                                                                           \
        NOTE(x * y);                                                                                           \
        NOTE(x & y);                                                                                           \
        NOTE(x | y);                                                                                           \
        NOTE(x ^ y);                                                                                           \
        NOTE(x << (y & 7));                                                                                    \
        NOTE(x >> (y & 7));                                                                                    \
        NOTE(x < y);                                                                                           \
        NOTE(x <= y);                                                                                          \
        NOTE(x > y);                                                                                           \
        NOTE(x >= y);                                                                                          \
        NOTE(x == y);                                                                                          \
        NOTE(x != y);                                                                                          \
        NOTE(x && y);                                                                                          \
        NOTE(x || y);                                                                                          \
        NOTE((x, y));                                                                                          \
        NOTE(1 ? x : y);                                                                                       \
        NOTE(0 ? x : y);                                                                                       \
        NOTE(sizeof(x + y));                                                                                   \
        NOTE(sizeof(x << y));                                                                                  \
        NOTE(sizeof(x < y));                                                                                   \
        NOTE((x - y) / 2 < 0);                                                                                 \
        if (y != 0 && y + 1 != 0) {                                                                            \
            NOTE(x / y);                                                                                       \
            NOTE(x % y);                                                                                       \
            UPDATE(T, /=, y);                                                                                  \
            UPDATE(T, %=, y);                                                                                  \
        }                                                                                                      \
        UPDATE(T, =, y);                                                                                       \
        UPDATE(T, +=, y);                                                                                      \
        UPDATE(T, -=, y);                                                                                      \
        UPDATE(T, *=, y);                                                                                      \
        UPDATE(T, &=, y);                                                                                      \
        UPDATE(T, |=, y);                                                                                      \
        UPDATE(T, ^=, y);                                                                                      \
        UPDATE(T, <<=, (y & 7));                                                                               \
        UPDATE(T, >>=, (y & 7));                                                                               \
        NOTE((T)y);                                                                                            \
        NOTE((U)x);                                                                                            \
        NOTE((T)(U)x);                                                                                         \
    }                                                                                                          \
    static void pair_##T##_##U(void) {                                                                         \
        hash = 0;                                                                                              \
        for (int k = 0; k < 7; k++) {                                                                          \
            for (int m = 0; m < 7; m++) {                                                                      \
                operators_##T##_##U((T)edge(k, sizeof(T)), (U)edge(m, sizeof(U)));                             \
            }                                                                                                  \
        }                                                                                                      \
        report(hash);                                                                                          \
    }

/* Small numbers, the least and the greatest signed and unsigned number of a size, and something else. */
static unsigned long long edge(int which, unsigned long size) {
    unsigned bits = (unsigned)size * 8;
    switch (which) {
    case 0:
        return 0;
    case 1:
        return 1;
    case 2:
        return -1;
    case 3:
        return 1ull << (bits - 1);
    case 4:
        return (1ull << (bits - 1)) - 1;
    case 5:
        return 0x123456789abcdef5ull;
    default:
        return -7;
    }
}

#define ROW(T)                                                                                                 \
    OPERATORS(T, b)                                                                                            \
    OPERATORS(T, c)                                                                                            \
    OPERATORS(T, sc)                                                                                           \
    OPERATORS(T, uc)                                                                                           \
    OPERATORS(T, s)                                                                                            \
    OPERATORS(T, us)                                                                                           \
    OPERATORS(T, i)                                                                                            \
    OPERATORS(T, u)                                                                                            \
    OPERATORS(T, l)                                                                                            \
    OPERATORS(T, ul)                                                                                           \
    OPERATORS(T, ll)                                                                                           \
    OPERATORS(T, ull)                                                                                          \
    static void row_##T(void) {                                                                                \
        pair_##T##_b();                                                                                        \
        pair_##T##_c();                                                                                        \
        pair_##T##_sc();                                                                                       \
        pair_##T##_uc();                                                                                       \
        pair_##T##_s();                                                                                        \
        pair_##T##_us();                                                                                       \
        pair_##T##_i();                                                                                        \
        pair_##T##_u();                                                                                        \
        pair_##T##_l();                                                                                        \
        pair_##T##_ul();                                                                                       \
        pair_##T##_ll();                                                                                       \
        pair_##T##_ull();                                                                                      \
    }

ROW(b)
ROW(c)
ROW(sc)
ROW(uc)
ROW(s)
ROW(us)
ROW(i)
ROW(u)
ROW(l)
ROW(ul)
ROW(ll)
ROW(ull)

int main(void) {
    row_b();
    row_c();
    row_sc();
    row_uc();
    row_s();
    row_us();
    row_i();
    row_u();
    row_l();
    row_ul();
    row_ll();
    row_ull();
    return 0;
}
