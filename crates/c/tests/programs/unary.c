/* Every unary operator, and increment and decrement in any position, at every integer type. */
void report(unsigned long long value);

#define UNARY(T)                                                                                               \
    do {                                                                                                       \
        for (int k = -3; k < 4; k++) {                                                                         \
            T x = (T)(k * 37);                                                                                 \
            T y = (T)((T)1 << (sizeof(T) * 8 - 1));                                                            \
            report((unsigned long long)+x);                                                                    \
            report((unsigned long long)-x);                                                                    \
            report((unsigned long long)~x);                                                                    \
            report((unsigned long long)!x);                                                                    \
            report((unsigned long long)!!x);                                                                   \
            report((unsigned long long)-y);                                                                    \
            report(sizeof(-x) + sizeof(~x) * 10 + sizeof(!x) * 100 + sizeof(x++) * 1000);                      \
            report((unsigned long long)(x++ * 3));                                                             \
            report((unsigned long long)(x-- * 5));                                                             \
            report((unsigned long long)(++x * 7));                                                             \
            report((unsigned long long)(--x * 11));                                                            \
            report((unsigned long long)(y-- - 1));                                                             \
            report((unsigned long long)(++y + 1));                                                             \
            report((unsigned long long)x);                                                                     \
            report((unsigned long long)y);                                                                     \
            report((unsigned long long)(x += x - -x));                                                         \
        }                                                                                                      \
    } while (0)

int main(void) {
    UNARY(signed char);
    UNARY(char);
    UNARY(unsigned char);
    UNARY(short);
    UNARY(unsigned short);
    UNARY(int);
    UNARY(unsigned);
    UNARY(long);
    UNARY(unsigned long);
    UNARY(long long);
    UNARY(unsigned long long);
    _Bool truth = 0;
    report(truth++);
    report(truth);
    report(++truth);
    report(truth--);
    report(truth);
    report(truth--);
    report(truth);
    report(--truth);
    report(-truth);
    report(~truth);
    report(sizeof(truth++));
    return 0;
}
