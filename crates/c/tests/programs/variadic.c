/* Functions with a variable number of arguments, and what may be done with a list of arguments. */
typedef __builtin_va_list va_list;
#define va_start(list, last) __builtin_va_start(list, last)
#define va_arg(list, type) __builtin_va_arg(list, type)
#define va_end(list) __builtin_va_end(list)
#define va_copy(to, from) __builtin_va_copy(to, from)

void report(unsigned long long value);

struct small {
    char tag;
    short value;
};

struct large {
    int numbers[5];
    const char *name;
    long long wide;
};

static int sum(int count, ...) {
    va_list list;
    int total = 0;
    va_start(list, count);
    for (int i = 0; i < count; i++) {
        total += va_arg(list, int);
    }
    va_end(list);
    return total;
}

static void show(const char *format, ...) {
    va_list list;
    va_start(list, format);
    for (; *format; format++) {
        switch (*format) {
        case 'd':
            report(va_arg(list, int));
            break;
        case 'u':
            report(va_arg(list, unsigned));
            break;
        case 'l':
            report(va_arg(list, long));
            break;
        case 'L':
            report(va_arg(list, unsigned long long));
            break;
        case 's': {
            const char *text = va_arg(list, const char *);
            while (*text) {
                report(*text++);
            }
            break;
        }
        case 'p': {
            int *p = va_arg(list, int *);
            report(*p);
            *p += 100;
            break;
        }
        case 'S': {
            struct small small = va_arg(list, struct small);
            report(small.tag * 1000 + small.value);
            break;
        }
        case 'B': {
            struct large large = va_arg(list, struct large);
            report(large.numbers[0] + large.numbers[4]);
            report(large.name[1]);
            report(large.wide);
            break;
        }
        case 'm':
            report(va_arg(list, struct large).numbers[2]);
            break;
        case 'f': {
            int (*function)(int, ...) = va_arg(list, int (*)(int, ...));
            report(function(3, 10, 20, 30));
            break;
        }
        }
    }
    va_end(list);
}

static int total_of(va_list list, int count) {
    int total = 0;
    while (count-- > 0) {
        total += va_arg(list, int);
    }
    return total;
}

static int through(int count, ...) {
    va_list list;
    va_start(list, count);
    int total = total_of(list, count);
    va_end(list);
    return total;
}

static long twice(int count, ...) {
    va_list list, copy;
    va_start(list, count);
    int first = va_arg(list, int);
    va_copy(copy, list);
    long total = first * 1000000L + total_of(list, count - 1) * 1000L;
    total += total_of(copy, count - 1);
    va_end(copy);
    va_end(list);
    va_start(list, count);
    total = total * 2 + va_arg(list, int);
    va_end(list);
    return total;
}

struct holder {
    int used;
    va_list list;
};

static int next_of(struct holder *holder) {
    holder->used++;
    return va_arg(holder->list, int);
}

static int next_in(va_list *list) {
    return va_arg(*list, int);
}

static int held(int count, ...) {
    struct holder holder = {0};
    va_start(holder.list, count);
    int total = next_of(&holder);
    total = total * 10 + next_of(&holder);
    total = total * 10 + next_in(&holder.list);
    va_end(holder.list);
    return total * 10 + holder.used;
}

/* Recursive, so that the arguments of several calls exist at once. */
static int nested(int depth, ...) {
    va_list list;
    va_start(list, depth);
    int a = va_arg(list, int), b = va_arg(list, int);
    int inner = depth > 0 ? nested(depth - 1, a + 1, b * 2) : 0;
    int c = depth == 3 ? va_arg(list, int) : 0;
    va_end(list);
    return a + b + inner * 3 + c;
}

static int count_until_null(const char *first, ...) {
    va_list list;
    int count = 0;
    va_start(list, first);
    for (const char *text = first; text; text = va_arg(list, const char *)) {
        count++;
    }
    va_end(list);
    return count;
}

/* The named arguments are more than fit into registers; results are structures. */
static struct large many(int a, int b, int c, int d, int e, int f, int g, ...) {
    struct large large = {{a, b, c, d, e + f + g}, "xyz", 0};
    va_list list;
    va_start(list, g);
    large.wide = va_arg(list, long long);
    large.numbers[1] = va_arg(list, int);
    va_end(list);
    return large;
}

static int none(int x, ...) {
    return x;
}

static int *find(int count, ...) {
    va_list list;
    int *best = 0;
    va_start(list, count);
    while (count-- > 0) {
        int *candidate = va_arg(list, int *);
        if (!best || *candidate > *best) {
            best = candidate;
        }
    }
    va_end(list);
    return best;
}

static int forward(int count, ...) {
    va_list list;
    va_start(list, count);
    /* Arguments that are read from a list are passed on. */
    int result = sum(count, va_arg(list, int), 5, va_arg(list, int));
    va_end(list);
    return result;
}

int main(void) {
    report(sum(0));
    report(sum(3, 1, 2, 3));
    char c = -3;
    unsigned short s = 65535;
    report(sum(4, c, s, (_Bool)1, sum(2, 40, 2)));
    int x = 5, y = 50, z = 7;
    struct small small = {3, -14};
    struct large large = {{1, 2, 3, 4, 5}, "hello", 1LL << 40};
    show("dulLs", -1, 4000000000u, -5L, 0x123456789abcdefULL, "text");
    show("pSBp", &x, small, large, &y);
    show("Bmd", large, large, 77);
    show("f", sum);
    show("f", through);
    report(x);
    report(y);
    report(through(4, 1, 10, 100, 1000));
    report(twice(3, 7, 8, 9));
    report(held(3, 4, 5, 6));
    report(nested(3, 1, 2, 1000));
    report(nested(3, 2, 2, 2000));
    report(count_until_null("a", "b", "c", (char *)0));
    report(count_until_null(0));
    struct large result = many(1, 2, 3, 4, 5, 6, 7, 1LL << 35, 99);
    report(result.numbers[0] + result.numbers[1] + result.numbers[4]);
    report(result.wide);
    report(none(4));
    report(none(4, x, &x));
    int *best = find(3, &x, &y, &z);
    report(best == &x);
    *best = -1;
    report(best == &y ? y : x);
    report(forward(3, 20, 300));
    for (int i = 0; i < 3; i++) {
        report(sum(3, i, i * 10, sum(2, i, 1)));
    }
    int (*pointer)(int, ...) = x > 0 ? sum : none;
    report(pointer(2, 30, 12));
    pointer = none;
    report(pointer(2, 30, 12));
    report(sizeof(va_list));
    return 0;
}
