/* What does not fit elsewhere: odd corners of declarations, statements and GNU extensions. */
void report(unsigned long long value);

_Static_assert(sizeof(char) == 1, "a char is a byte");

static int braces = {3};
static int from_enum, order;
volatile int changing = 4;

enum color { RED = -1, GREEN, BLUE };

/* A dollar may be part of a name. */
struct with$tag {
    int member$1;
};

static int add$two(int $value) {
    struct with$tag both = {2};
    return $value + both.member$1;
}

static int step(int x) {
    order = order * 10 + x;
    return x;
}

register_me() {
    return 21;
}

static enum color mix(enum color a, enum color b) {
    return a == b ? a : (enum color)(a + b);
}

static int do_continue(int n) {
    int rounds = 0;
    do {
        rounds++;
        if (rounds % 3) {
            continue;
        }
        n--;
    } while (n-- > 0 && rounds < 20);
    return rounds * 100 + n;
}

static int for_continue(void) {
    int sum = 0;
    for (int i = 0, j = 10; i < j; i += 2, --j) {
        if (i == 2) {
            continue;
        }
        sum += i * j;
    }
    return sum;
}

static int assign_in_condition(void) {
    int x, n = 0;
    while ((x = step(n & 1)) != 0 || n < 3) {
        if (n++ > 5) {
            break;
        }
    }
    return n;
}

static int statement_expression_jumps(int x) {
    int r = 0;
    for (int i = 0; i < 5; i++) {
        r += ({
            if (i == x) {
                continue;
            }
            if (i == x + 2) {
                break;
            }
            i * 10;
        });
    }
    r += ({
        if (x == 1) {
            goto out;
        }
        if (x == 2) {
            return -5;
        }
        1000;
    });
out:
    return r;
}

static int switch_on_bool(_Bool b) {
    switch (b) {
    case 0:
        return 10;
    case 1:
        return 20;
    }
    return 30;
}

static int switch_on_char(char c) {
    switch (c) {
    case 'a':
    case 'b':
        return 1;
    case '\xff':
        return 2;
    case 'A' ... 'Z':
        return 3;
    }
    return 4;
}

static int switch_with_effects(int x) {
    switch (x++, step(x)) {
    case 3:
        return x;
    case 4:;
        int y = x * 2;
        return y;
    }
    return -x;
}

static int same_names(int value) {
    int step = value;
value:
    if (step > 0) {
        step -= 2;
        goto value;
    }
    {
        int value = step;
        struct value {
            int value;
        };
        return value;
    }
}

static int typeof_things(short s) {
    __typeof__(s) a = 70000;
    __typeof__(s + 0) b = 70000;
    typeof(1 ? 1u : -1ll) c = -1;
    __typeof__(unsigned char) d = -1;
    return a + b + (c < 0) + d;
}

static int generic(void) {
    char c = 0;
    return _Generic(c, int: 1, char: 2, default: 3) + _Generic(c + c, int: 10, char: 20, default: 30)
           + _Generic(1ul, int: 100, unsigned long: 200, default: 300);
}

static long long initialised_by(int x) {
    int a = x, b = a * 2, c = a + b;
    long long d = c, e = (a++, d + a);
    const unsigned char f = e * 100;
    return f + e;
}

static void nothing(void) {
    return;
}

static void returns_nothing(int x) {
    if (x) {
        return nothing();
    }
    (void)step(9);
}

static int goto_between(int x) {
    int r = 0;
    switch (x) {
    case 0:
        goto two;
    one:
        r += 1;
    case 1:
        r += 10;
        break;
    two:
        r += 100;
        if (r < 300) {
            goto one;
        }
    }
    return r;
}

static int loop_over_wrap(void) {
    int n = 0;
    for (unsigned char c = 250; c; c++) {
        n++;
    }
    for (signed char c = 120; c > 0; c++) {
        n += 10;
    }
    for (unsigned u = 3; u < 4; u--) {
        n += 100;
    }
    for (short s = 32760; s > 0; s += 3) {
        n += 1000;
    }
    return n;
}

static int unsigned_compare(int a, unsigned b) {
    return (a < b) + 10 * (a > (int)b) + 100 * ((long long)a < b) + 1000 * (a == b) + 10000 * ((short)a == (unsigned short)b);
}

static int expect(int x) {
    if (__builtin_expect(x > 3, 1)) {
        return 1;
    }
    if (x > 100) {
        __builtin_unreachable();
    }
    return 2;
}

static int deep(int n) {
    if (n == 0) {
        return 0;
    }
    return 1 + deep(n - 1);
}

static unsigned long long pi_digits(void) {
    unsigned long long x = 0;
    int a = 10000, f = 2000, d = 0;
    for (int i = 1; i < 8; i++) {
        d = (d * i + f * a) % 99991;
        x = x * 99991 + d;
    }
    return x;
}

int main(int argc, char **argv) {
    report((unsigned)add$two(40));
    report(braces);
    report(register_me());
    from_enum = BLUE;
    report(from_enum);
    report(mix(RED, BLUE) + 10);
    report(mix(RED, RED));
    report(do_continue(7));
    report(for_continue());
    report(assign_in_condition());
    report(order);
    for (int i = 0; i < 6; i++) {
        report(statement_expression_jumps(i));
        report(switch_with_effects(i));
        report(same_names(i));
        report(goto_between(i));
        report(expect(i));
    }
    report(switch_on_bool(0) + switch_on_bool(7));
    report(switch_on_char('b') + 10 * switch_on_char(255) + 100 * switch_on_char('Q') + 1000 * switch_on_char('q'));
    report(typeof_things(1));
    report(generic());
    report(initialised_by(7));
    order = 0;
    returns_nothing(0);
    returns_nothing(1);
    report(order);
    report(loop_over_wrap());
    report(unsigned_compare(-1, -1));
    report(unsigned_compare(-1, 5));
    report(unsigned_compare(65536, 0));
    report(unsigned_compare(65535, -1));
    report(deep(5000));
    report(pi_digits());
    report(changing++ + 1);
    report(changing);
    order = 0;
    int r = (step(1), step(2)) + 0;
    r += step(3) && step(0) && step(5);
    r += step(6) ? step(7) : step(8);
    report(r);
    report(order);
    order = 0;
    r = step(1) == 1 ? step(0) || step(2) : (step(4), 9);
    report(r * 100000 + order);
    int once = ({ step(3); step(4); }) + 1;
    report(once);
    report(!!(order & 0x10) ^ !order);
    int uninitialised;
    if (order) {
        uninitialised = 3;
    } else {
        uninitialised = 4;
    }
    report(uninitialised);
    return 0;
}
