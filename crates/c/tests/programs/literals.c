/* Types and values of constants. */
void report(unsigned long long value);

enum small { ZERO, ONE, FIVE = 5, SIX, MINUS = -3, NEXT };
enum large { HUGE = 0x80000000u, LARGER };
enum wide { WIDE = 0x100000000ll, WIDER };
enum { CHAR_SIZE = sizeof 'x', SUM = FIVE + SIX * 2, CHOICE = SUM > 10 ? SUM << 2 : -1 };

int main(void) {
    report(sizeof(1) + 10 * sizeof(2147483647) + 100 * sizeof(2147483648) + 1000 * sizeof(4294967296));
    report(sizeof(0x7fffffff) + 10 * sizeof(0x80000000) + 100 * sizeof(0xffffffff) + 1000 * sizeof(0x100000000));
    report(sizeof(1u) + 10 * sizeof(1l) + 100 * sizeof(1ul) + 1000 * sizeof(1ll) + 10000 * sizeof(1uLL));
    report(sizeof(4294967296u) + 10 * sizeof(0x7fffffffffffffff) + 100 * sizeof(037777777777));
    report(2147483648 > -1);
    report(0x80000000 > -1);
    report(0xffffffff > -1);
    report(-1 < 0u);
    report(-1l < 0u);
    report(-1ll < 0u);
    report(-1ll < 0ul);
    report(-2147483648 < 0);
    report(-2147483647 - 1 < 0);
    report(-0x80000000 < 0);
    report(0x8000000000000000 > 0);
    report(9223372036854775807ll + 0u);
    report(0b1011 + 0777 + 0xFf + 00 + 0);
    report('a' + 'Z' * 3);
    report('\n' + '\t' * 10 + '\0' + '\\' + '\'' + '"' + '\"' + '\a' + '\b' + '\f' + '\r' + '\v' + '\?');
    report('\x41' + '\101' * 2 + '\7' + '\x0');
    report('\377');
    report('\xff' < 0);
    report(sizeof('a') + 10 * sizeof(L'a') + 100 * sizeof(u'a') + 1000 * sizeof(U'a'));
    report('ab');
    report(L'a' + u'b' + U'c');
    report(L'\xff');
    report(ZERO + ONE * 10 + FIVE * 100 + SIX * 1000);
    report(MINUS);
    report(NEXT);
    report(HUGE);
    report(LARGER);
    report(WIDE);
    report(WIDER);
    report(sizeof(ZERO) + 10 * sizeof(enum small) + 100 * sizeof(enum large) + 1000 * sizeof(enum wide));
    report(sizeof(WIDE) + 10 * sizeof(HUGE));
    report((enum small)-1 < 0);
    report((enum large)-1 > 0);
    report(CHAR_SIZE + 10 * SUM + 1000 * CHOICE);
    enum small e = MINUS;
    report(e < 0);
    e = SIX;
    e++;
    report(e);
    report(sizeof(char) + 10 * sizeof(short) + 100 * sizeof(int) + 1000 * sizeof(long) + 10000 * sizeof(long long));
    report(sizeof(_Bool) + 10 * sizeof(void *) + 100 * sizeof(unsigned char) + 1000 * sizeof(int *));
    report(sizeof(sizeof(int)));
    report(sizeof(int) - 5 > 0);
    report(_Alignof(int) + 10 * _Alignof(char) + 100 * _Alignof(short));
    return 0;
}
