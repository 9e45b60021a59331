/* Calls, recursion, conversions of arguments and results, storage. */
void report(unsigned long long value);

static int fibonacci(int n) {
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

static unsigned ackermann(unsigned m, unsigned n) {
    if (m == 0) {
        return n + 1;
    }
    if (n == 0) {
        return ackermann(m - 1, 1);
    }
    return ackermann(m - 1, ackermann(m, n - 1));
}

static int is_odd(unsigned n);

static int is_even(unsigned n) {
    return n == 0 || is_odd(n - 1);
}

static int is_odd(unsigned n) {
    return n != 0 && is_even(n - 1);
}

static unsigned long long gcd(unsigned long long a, unsigned long long b) {
    return b ? gcd(b, a % b) : a;
}

static int mccarthy(int n) {
    return n > 100 ? n - 10 : mccarthy(mccarthy(n + 11));
}

static signed char narrow_result(int x) {
    return x;
}

static unsigned char narrow_parameter(unsigned char x) {
    return x + 1;
}

static _Bool truth(int x) {
    return x;
}

static long long wide_parameter(long long x, unsigned short y, _Bool z) {
    return x * 100 + y * 10 + z;
}

static int counter(void) {
    static int count = 10;
    return count++;
}

static int two_counters(int which) {
    static int count;
    if (which) {
        static int count = 100;
        return ++count;
    }
    return ++count;
}

static int static_in_recursion(int depth) {
    static int deepest;
    int local = depth * 2;
    if (depth > deepest) {
        deepest = depth;
    }
    if (depth < 5) {
        static_in_recursion(depth + 1);
    }
    return deepest * 100 + local;
}

static int modifies_parameter(int x) {
    x *= 2;
    x++;
    return x;
}

static int old_style(a, b)
    int a;
    char b;
{
    return a + b;
}

static int without_parameters() {
    return 17;
}

int global = 5;
int tentative;
int tentative;
static unsigned char small_global = 300 - 45;
long long wide_global = -1;
const int constant = 12 * 3 + (1 << 4);
unsigned computed = sizeof(int) * 3 + ~0u / 2;

static void changes_global(void) {
    global += 3;
    if (global > 10) {
        return;
    }
    global *= 2;
}

static int shadows(int global) {
    int r = global;
    {
        extern int global;
        r += global * 10;
        {
            int global = 7;
            r += global * 1000;
        }
    }
    for (int r = 0; r < 3; r++) {
        global += r;
    }
    return r + global * 100000;
}

typedef int number;

static int shadows_type(int x) {
    number number = x;
    {
        enum { number = 5 };
        x += number;
    }
    return number + x;
}

static int locals_are_fresh(int n) {
    int r = 0;
    for (int i = 0; i < n; i++) {
        int x = 1;
        x += i;
        r += x;
    }
    return r;
}

static int many(int a, int b, int c, int d, int e, int f, int g, int h, int i, int j) {
    return a - b + c - d * e + f - g + h * i - j;
}

inline static int inlined(int x) {
    return x * x;
}

extern int declared_later(int);

static int calls_in_calls(int x) {
    return inlined(declared_later(inlined(x) - declared_later(x)));
}

int declared_later(int x) {
    return x - 3;
}

static void countdown(int n) {
    if (n) {
        countdown(n - 1);
        report(n);
    }
}

static int hanoi(int n, int from, int to, int via) {
    if (n == 0) {
        return 0;
    }
    int moves = hanoi(n - 1, from, via, to);
    moves += from * 3 + to;
    return moves + hanoi(n - 1, via, to, from);
}

int main(void) {
    report(fibonacci(15));
    report(ackermann(2, 5));
    report(is_even(20) * 10 + is_odd(7));
    report(gcd(1071ull * 1000003, 462ull * 1000003));
    report(mccarthy(30));
    report(narrow_result(200));
    report(narrow_result(-129));
    report(narrow_parameter(255));
    report(narrow_parameter(511));
    report(narrow_parameter(-1));
    report(truth(256));
    report(truth(0));
    report(wide_parameter(-1, -1, -1));
    report(wide_parameter(3000000000u, 70000, 2));
    report(counter());
    report(counter());
    report(two_counters(0));
    report(two_counters(1));
    report(two_counters(0));
    report(two_counters(1));
    report(static_in_recursion(0));
    report(static_in_recursion(4));
    int x = 20;
    report(modifies_parameter(x));
    report(x);
    report(old_style(5, 'a'));
    report(without_parameters());
    changes_global();
    report(global);
    changes_global();
    report(global);
    report(tentative);
    report(small_global);
    report(wide_global);
    report(constant);
    report(computed);
    report(shadows(2));
    report(shadows_type(3));
    report(locals_are_fresh(10));
    report(many(1, 2, 3, 4, 5, 6, 7, 8, 9, 10));
    report(calls_in_calls(9));
    countdown(4);
    report(hanoi(6, 1, 2, 3));
    return 0;
}
