/* Initialisers, string literals, compound literals. */
void report(unsigned long long value);
#define R(...) report((unsigned long long)(__VA_ARGS__))
typedef __WCHAR_TYPE__ wide;

struct point { int x, y; };
struct shape { char name[6]; struct point corner[3]; union { int i; short s[2]; } u; struct point *link; };
static int ranges[12] = { [0 ... 3] = 7, [5 ... 6] = 8, 9, [2] = 1, 2, [10] = 5 };
static struct point reset[4] = { [0 ... 3] = { 1, 2 }, [1] = { .y = 5 }, [2].x = 6, [3] = { 7 } };
static int overriding[3] = { 1, 2, 3, [0] = 4, 5 };
static struct point points[] = { { 1, 2 }, { .y = 3 }, [4] = { 5, 6 }, [2].x = 9, 10, 11 };
static struct shape shapes[2] = { { "abc", { { 1 }, { 2, 3 } }, { .s = { [1] = 4 } }, &points[1] }, { .corner[1].y = 5, 6, 7, .name = { 'x', 'y' } } };
static int flat[2][3] = { 1, 2, 3, 4 };
static struct shape unbraced = { 'a', 'b', 'c', 'd', 'e', 'f', 1, 2, 3, 4, 5, 6, 7, 0 };
static char exact[3] = "abc", shorter[8] = "xy", open[] = "op" "en", braced[] = { "br" }, list[] = { 'l', 0 }, table[2][4] = { "one", "two" };
static const char *names[] = { "red", "green", "blue" };
static wide wide_text[] = L"w\x1234z";
static unsigned short utf16[] = u"u\xe9";
static int *inner = &ranges[3], *ahead = ranges + 12, *past = &flat[1][2];
static struct point *second = &points[2]; static int *member = &points[4].y; static char *tail = "tail" + 2;
static struct node { struct node *next; int v; } ring[3] = { { &ring[1], 1 }, { &ring[2], 2 }, { ring, 3 } }, self = { &self, 9 };
static int twice(int x) { return 2 * x; }
static int negate(int x) { return -x; }
static int (*functions[3])(int) = { twice, &negate };
static struct { int (*call)(int); int argument; } jobs[] = { { twice, 4 }, { .argument = 5, .call = negate } };
static struct point *literal = &(struct point){ 31, 32 }; static int *array_literal = (int[]){ 1, 2, 3 };
static long difference = (long)&((struct point *)0)->y; static unsigned char truncated = 300; static _Bool truth = 55; static int *nothing = 0;
extern int tentative; int tentative; int tentative = 6; int tentative; static int later; extern struct point far_point;
static int uses_later(void) { return later; }
static int later = 8; struct point far_point = { 3, 4 };
int unsized[]; 

static int sum(struct point p) { return p.x * 10 + p.y; }
static int sum_by(const struct point *p) { return p->x * 10 + p->y; }
static int add(int *p, int n) { int s = 0; while (n--) { s = s * 10 + p[n]; } return s; }
static int length(const char *s) { int n = 0; while (s[n]) { n++; } return n; }

static void locals(int v) {
    int a[5] = { v, [3] = v * 2, 7 }, i;
    struct point p = { v }, q = { .y = v, .x = p.x + 1 }, r = q, s = {}, t[2] = { p, { q.y, 3 } };
    struct shape z = { "zz", { p, [2] = { v, v } }, { v }, &q };
    struct shape o = { .corner = { [1] = q, [1].x = 77 }, .name = "oooooo" };
    char text[10] = "hi", full[] = "a\0b\x41\101\n\\\"" "c"; int more[2][2] = { { v }, v, v + 1 };
    for (i = 0; i < 5; i++) { R(a[i]); }
    R(p.x); R(p.y); R(q.x); R(q.y); R(sum(r)); R(sum(s)); R(sum(t[0])); R(sum(t[1]));
    R(z.name[1]); R(z.name[4]); R(sum(z.corner[0])); R(sum(z.corner[1])); R(sum(z.corner[2])); R(z.u.s[0]); R(z.link == &q); R(sum(o.corner[1])); R(sum(o.corner[2])); R(o.name[5]);
    for (i = 0; i < 10; i++) { R(text[i]); } R(sizeof full); for (i = 0; i < (int)sizeof full; i++) { R(full[i]); }
    R(more[0][0]); R(more[0][1]); R(more[1][0]); R(more[1][1]);
    int used = 0; int effects[4] = { used++, used++, [3] = used++ }; R(effects[0]); R(effects[1]); R(effects[2]); R(effects[3]); R(used); int once[2] = { used++, [0] = used++, used }; R(once[0]); R(once[1]); R(used);
    int big[100] = { 1, 2, [50] = v, [99] = 3 }; int total = 0; for (i = 0; i < 100; i++) { total += big[i] * i; } R(total);
    struct point dots[40] = { [7] = { v, 1 }, [8 ... 20] = { 2, 3 } }; for (i = total = 0; i < 40; i++) { total += sum(dots[i]); } R(total);
}

static int literals(int v) {
    struct point *p = &(struct point){ v, 2 }; int *a = (int[]){ v, 2, v * 3 }, result = 0;
    R(sum((struct point){ 1, v })); R(sum_by(&(struct point){ .y = v })); R(add((int[3]){ 1, v }, 3)); R(add(a, 3));
    p->x++; R(p->x); a[1] = 9; R(a[1]); R((struct point){ 7, 8 }.y); R(((int[]){ 4, 5, 6 })[1]); R(sizeof((int[]){ 1, 2, 3 }));
    R((int){ v } + 1); R(*&(int){ v + 3 }); int *scalar = &(int){ 40 }; *scalar += 2; R(*scalar); R((char){ 77 }); R((unsigned char){ v + 250 });
    for (int i = 0; i < 3; i++) { struct point *q = &(struct point){ i, i * v }; q->y++; result = result * 100 + sum_by(q); int *w = (int[2]){ i }; w[1]++; result += w[1]; }
    struct point s; s = (struct point){ v }; R(sum(s)); s = (struct point){ s.y + 4, s.x }; R(sum(s)); R(length((char[]){ "literal" })); R((const char *){ names[1] }[2]);
    return result;
}

int main(void) {
    int i;
    for (i = 0; i < 12; i++) { R(ranges[i]); } for (i = 0; i < 3; i++) { R(overriding[i]); } for (i = 0; i < 4; i++) { R(reset[i].x); R(reset[i].y); } R(sizeof points / sizeof *points);
    for (i = 0; i < (int)(sizeof points / sizeof *points); i++) { R(points[i].x); R(points[i].y); }
    for (i = 0; i < 2; i++) { struct shape *s = &shapes[i]; for (int j = 0; j < 3; j++) { R(sum(s->corner[j])); } R(s->u.i); R(length(s->name)); R(s->link ? sum_by(s->link) : -1); }
    for (i = 0; i < 6; i++) { R(flat[i / 3][i % 3]); } R(unbraced.corner[2].y); R(unbraced.u.s[0]); R(unbraced.name[5]);
    R(exact[2]); R(sizeof exact); R(shorter[5]); R(sizeof open); R(sizeof braced); R(sizeof list); R(table[1][2]); R(table[0][3]);
    R(length(names[1])); R(names[2][3]); R(*names[0]); R(sizeof names / sizeof *names); R(wide_text[1]); R(sizeof wide_text); R(utf16[1]); R(sizeof utf16);
    R(*inner); R(ahead[-2]); R(*--past); R(second->x); R(*member); R(length(tail)); R("indexed"[3]); R(*("abc" + 1)); R(sizeof "four"); R(2["xyz"]); R(sizeof(L"ab"));
    R(ring[0].next->next->v); R(ring[2].next->v); R(self.next->next->v); R(self.next == &self); R(functions[0](3)); R((*functions[1])(3)); R(functions[2] == 0); R(jobs[0].call(jobs[0].argument)); R(jobs[1].call(jobs[1].argument));
    R(literal->y); literal->x = 5; R(sum_by(literal)); R(array_literal[2]); R(difference); R(truncated); R(truth); R(nothing == 0); R(tentative); R(uses_later()); R(far_point.y); R(unsized[0]);
    locals(3); locals(-1); R(literals(2)); R(literals(5));
    const char *same = "same"; R(same[0] + same[3]); R(__func__[2]); R(sizeof __func__); R(length(__FUNCTION__));
    return 0;
}
