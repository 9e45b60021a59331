/* Side effects, their order where C fixes it, and the types of expressions. */
void report(unsigned long long value);

static int calls;

static int count(int result) {
    calls++;
    return result;
}

static int identity(int x) {
    return x;
}

int main(void) {
    int a = 1, b = 2, d = 3;

    /* Short circuit. */
    report(count(0) && count(1));
    report(calls);
    report(count(1) && count(2));
    report(calls);
    report(count(5) || count(1));
    report(calls);
    report(count(0) || count(0));
    report(calls);
    report(count(0) && count(1) || count(3) && !count(0));
    report(calls);
    report(!(count(1) && count(0)) && (count(0) || count(2)));
    report(calls);
    if (count(1) && (count(0) || count(1)) && !count(0)) {
        report(calls);
    }
    while (calls < 40 && count(1)) {
    }
    report(calls);

    /* Conditional. */
    report(count(1) ? count(7) : count(8));
    report(calls);
    report(a ? b ? 10 : 20 : 30);
    report(!a ? 10 : !b ? 20 : 30);
    report(a > b ? a : b > d ? b : d);
    report(sizeof(a ? 1 : 2ll));
    report((a ? -1 : 1u) > 0);
    report((a ? (short)-1 : (unsigned char)1) < 0);
    report(a ?: 9);
    report((a - 1) ?: 9);
    report(count(3) ?: count(4));
    report(calls);

    /* Comma. */
    report((a = 5, b = a + 1, a * b));
    for (a = 0, b = 10; a < b; a++, b--) {
    }
    report(a * 100 + b);
    d = (a++, a++, a);
    report(d);

    /* Assignments are values, converted to the type of what is assigned to. */
    signed char narrow;
    unsigned char unarrow;
    long long wide;
    wide = narrow = 300;
    report(wide);
    wide = unarrow = -1;
    report(wide);
    report((narrow = 200) < 0);
    report((unarrow = 200) > 0);
    a = b = d = 77;
    report(a + b + d);
    a += b -= d *= 2;
    report(a);
    report(b);
    report(d);
    narrow = 100;
    report(narrow += 100);
    unarrow = 3;
    report(unarrow -= 5);
    unarrow = 200;
    unarrow *= 2;
    report(unarrow);
    narrow = -128;
    narrow /= -1;
    report(narrow);
    narrow = -128;
    narrow >>= 1;
    report(narrow);
    unarrow = 129;
    unarrow <<= 1;
    report(unarrow);
    a = 7;
    a /= 2ll;
    a %= 2u;
    report(a);
    a = -7;
    a += 3u;
    report(a);
    a = -8;
    a /= 2u;
    report(a);
    a = 1;
    a <<= 4ull;
    report(a);

    /* Increments. */
    a = 5;
    b = a++ + 10;
    d = --b - 1;
    report(a * 10000 + b * 100 + d);
    report(a-- > 5 && a == 5);
    a = 10;
    int total = 0;
    while (a-- > 0) {
        total += a;
    }
    report(total);
    report(a);
    do {
        total--;
    } while (++a < 5);
    report(total);
    report(-a++);
    report(- -a);
    report(a - -a);
    report(~-a);
    report(!a++);
    report(identity(a++) + 100);
    report(a);

    /* Operands of sizeof are not evaluated. */
    report(sizeof(a++) + sizeof(count(1)));
    report(a);
    report(calls);

    /* Statement expressions. */
    report(({
        int x = 3;
        x *= 2;
        x + 1;
    }));
    a = ({
        int x = 0;
        for (int k = 0; k < 5; k++) {
            x += k;
        }
        x;
    }) + ({ 5; });
    report(a);
    if (({ a++; a > 15; })) {
        report(a);
    }

    /* Comparisons are integers. */
    report((1 < 2) + (2 < 1) * 10 + (3 == 3) * 100 + (3 != 3) * 1000);
    report(1 < 2 < 3);
    report(3 > 2 > 1);
    report(sizeof(1ll < 2ll));
    report(!5 == 0);
    report(-1 >> 1);
    report(-8 >> 2);
    report(-7 / 2);
    report(-7 % 2);
    report(7 / -2);
    report(7 % -2);
    report(-7 / -2);
    report(-7 % -2);
    report(5 & 3 == 3);
    report(1 | 2 ^ 3 & 4);
    report(1 + 2 << 3 - 1);
    report(10 - 4 - 3);
    report(100 / 5 / 2);
    report((unsigned char)255 + (unsigned char)1);
    report((unsigned char)(255 + 1));
    report((unsigned)-1 / 2);
    report(-1 / 2u);
    report((short)40000);
    report((unsigned short)-1);
    report((char)200);
    report((_Bool)256);
    report((int)(long long)0x123456789ll);
    report((long long)(int)0x89abcdefu);
    report((unsigned long long)(unsigned)-5);
    report((unsigned long long)(int)-5);
    return 0;
}
