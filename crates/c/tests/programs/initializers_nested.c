/* Initialisers of aggregates within aggregates, with designators and without braces of their own. */
void report(unsigned long long value);
#define R(...) report((unsigned long long)(__VA_ARGS__))

union number { int whole; short halves[2]; };
struct pair { int x, y; };
struct empty {};

static struct { int c; union number m; } in_union = { .m = 5 };
static struct { int c; union { int l; } m; } in_unnamed = { .m = 6 };
static struct { int a; struct pair p; int b; } in_record = { .p = 1, 2, 3 };
static struct { int a; int list[3]; int b; } in_array = { .list = 4, 5, .b = 6 };
static struct { int a; struct { union number n; struct pair p; } inner; int b; } deeper = { 1, .inner = 2, 3, 4, 5 };
static struct pair rows[4] = { [1] = 1, 2, 3, [3] = 9 };
static int matrix[3][2] = { [1] = 7, 8, 9 };
static struct { struct pair p; } ranged[3] = { [0 ... 1] = 4, 5, 6 };
static union number number = { .halves = { 3, 4 } };
static struct { union { struct pair p; int z; }; int t; } anonymous = { .p = 1, 2, 3 }, later = { .z = 4, 5 };
static struct { struct pair p; int z; } again = { .p = 1, 2, 3, .p.y = 8 };
static struct { union number u[2]; } list_of_unions = { .u = 1, 2 };
static struct { int a; struct empty e; int b; } around_nothing = { 1, {}, 2 };
static struct { int a; int none[0]; int b; } around_no_elements = { 1, {}, 2 };
static struct { char tag; char text[4]; struct { char text[3]; } inner; } texts = { .text = "ab", "cd" };
typedef struct { unsigned char *data; int counter; } lock;
static struct { int t; lock l; } locked = { .l = (lock){ 0, 4 } };

static void locals(int v) {
    struct { int c; union number m; } in_union = { .m = v };
    struct { int a; struct pair p; int b; } in_record = { .p = v, v + 1, v + 2 };
    struct pair p = { v, 2 };
    struct { int a; struct pair p; int b; } copied = { .p = p, 4 };
    struct { int a; union { int i; lock l; }; } guarded = { .i = v };
    R(in_union.c); R(in_union.m.whole); R(in_record.p.x); R(in_record.p.y); R(in_record.b); R(copied.p.x); R(copied.b);
    R(guarded.a); R(guarded.i);
}

int main(void) {
    int i;
    R(in_union.c); R(in_union.m.whole); R(in_unnamed.c); R(in_unnamed.m.l);
    R(in_record.a); R(in_record.p.x); R(in_record.p.y); R(in_record.b);
    R(in_array.list[0]); R(in_array.list[1]); R(in_array.list[2]); R(in_array.b);
    R(deeper.a); R(deeper.inner.n.whole); R(deeper.inner.p.x); R(deeper.inner.p.y); R(deeper.b);
    for (i = 0; i < 4; i++) { R(rows[i].x); R(rows[i].y); }
    for (i = 0; i < 6; i++) { R(matrix[i / 2][i % 2]); }
    for (i = 0; i < 3; i++) { R(ranged[i].p.x); R(ranged[i].p.y); }
    R(number.halves[1]); R(anonymous.p.y); R(anonymous.t); R(later.z); R(later.t); R(again.p.x); R(again.p.y); R(again.z);
    R(list_of_unions.u[0].whole); R(list_of_unions.u[1].whole); R(around_nothing.b); R(around_no_elements.b);
    R(texts.text[1]); R(texts.text[2]); R(texts.inner.text[1]); R(locked.l.counter);
    locals(3); locals(-7);
    return 0;
}
