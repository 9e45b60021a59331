/* Floating-point numbers in memory: initialisers, structures, unions, pointers to their bytes. */
void report(unsigned long long value);

typedef unsigned long long u64;

struct pair { char tag; float f; double d; };
union word { float f; unsigned u; unsigned char bytes[4]; int s; };
union wide { double d; u64 u; unsigned half[2]; struct { unsigned low, high; } parts; };

static double third = 1.0 / 3.0;
static const float table[] = { 1, 2.5, -3e-3f, 0x1.8p1, 1e39, 1.0 / 7, 'a' };
static struct pair pairs[2] = { { 'x', 1.5, 2 }, { .d = -0.0, .f = 7 } };
static long double wide_constants[2] = { 1.1L, -2 };
double zero;
float halves[3] = { [1] = .5f };
int truncated = 3.99, compared = 1.5 < 2.5, lengths[(int)2.5] = { -1.5 };
_Bool truth = 0.25;
enum { LIMIT = (int)7.9 };

static void report_double(double x) {
    union wide w = { x };
    report(w.u);
}

static void bytes(const void *at, int count) {
    const unsigned char *byte = at;
    for (int i = 0; i < count; i++)
        report(byte[i]);
}

static struct pair make(float f, double d) {
    struct pair p = { 1, f, d };
    return p;
}

static void scale(double *at, int count, float by) {
    for (int i = 0; i < count; i++)
        at[i] *= by;
}

static unsigned float_bits(float f) {
    return *(unsigned *)&f;
}

int main(void) {
    report_double(third);
    for (int i = 0; i < 7; i++)
        report(float_bits(table[i]));
    report_double(pairs[0].d + pairs[0].f);
    report_double(pairs[1].d);
    report_double(pairs[1].f);
    bytes(&wide_constants[0], 10);
    bytes(&wide_constants[1], 10);
    report_double(zero);
    report_double(halves[0] + halves[1]);
    report(truncated + 10 * compared + 100 * truth + 1000 * LIMIT + 10000 * sizeof lengths);
    report((u64)lengths[0]);

    union word w;
    w.u = 0x40490fdb;
    report_double(w.f);
    w.f = -w.f;
    report(w.s < 0);
    report(w.bytes[3]);
    w.bytes[2] = 0x80;
    report_double(w.f);
    w.u = 0x7f800001;
    union word copy = w;
    report(copy.u);

    union wide x;
    x.d = 1e100;
    x.parts.high -= 1 << 20;
    report_double(x.d);
    x.half[0] = 0;
    report_double(x.d);

    struct pair p = make(0.1f, 0.1), q = p;
    q.f += 1;
    report_double(p.f);
    report_double(q.f);
    report_double(q.d);
    report(p.f == p.d);

    double array[4] = { 1, 2, 3 };
    scale(array, 4, 1.1f);
    for (int i = 0; i < 4; i++)
        report_double(array[i]);
    double *pointer = array + 1;
    report_double(*pointer++ + *pointer--);
    *pointer = pointer[1] = 0.7f;
    report_double(array[1]);
    report_double(array[2]++);
    report_double(array[2]);

    long double l = 1;
    l /= 3;
    bytes(&l, 10);
    long double *at = &l;
    *at = -*at * 2;
    bytes(at, 10);
    unsigned char *raw = (unsigned char *)&l;
    raw[9] = 0;
    raw[8] = 0;
    raw[7] = 0x80;
    report(l == 0x1p-16382L + 0 || l > 0);
    raw[8] = 1;
    report_double((double)(l * 0x1p16000L));
    for (int i = 0; i < 10; i++)
        raw[i] = 0;
    raw[8] = 0xff;
    raw[9] = 0x3f;
    report(l == 1);
    raw[7] = 0x80;
    report(l == 1);

    static float room[4];
    float *heap = room;
    for (int i = 0; i < 4; i++)
        heap[i] = i / 4.0f;
    report_double(heap[1] + heap[3]);
    unsigned integers[2];
    __builtin_memcpy(integers, heap + 2, sizeof integers);
    report(integers[0]);
    report(integers[1]);
    return 0;
}
