/* Structures as values: assignment, parameters, results. */
void report(unsigned long long value);
#define R(...) report((unsigned long long)(__VA_ARGS__))

struct point { int x, y; };
struct line { struct point from, to; char tag; };
struct large { int head; int data[100]; short tail; };
struct tiny { char c; };
struct odd { char bytes[7]; };
struct pair { long long first; short second; };

static struct point make(int x, int y) { struct point p = { x, y }; return p; }
static struct point swap(struct point p) { int t = p.x; p.x = p.y; p.y = t; return p; }
static struct point plus(struct point a, struct point b) { a.x += b.x; a.y += b.y; return a; }
static int weight(struct point p) { return p.x * 100 + p.y; }
static struct line line(struct point a, struct point b, char tag) { return (struct line){ a, b, tag }; }
static struct line flip(struct line l) { struct point keep = l.from; l.from = l.to; l.to = keep; l.tag++; return l; }
static struct large grow(struct large l, int n) { l.head += n; for (int i = 0; i < 100; i++) { l.data[i] += i * n; } l.tail = n; return l; }
static long check(struct large l) { long s = l.head * 3 + l.tail; for (int i = 0; i < 100; i++) { s = s * 3 % 10007 + l.data[i]; } return s; }
static struct tiny tiny(int c) { struct tiny t; t.c = c; return t; }
static struct odd odd(int seed) { struct odd o; for (int i = 0; i < 7; i++) { o.bytes[i] = seed * i; } return o; }
static int odd_sum(struct odd o) { int s = 0; for (int i = 0; i < 7; i++) { s = s * 2 + o.bytes[i]; } return s; }
static struct pair pair(long long a, short b) { return (struct pair){ .second = b, .first = a }; }
static struct point *keep(struct point *p, struct point v) { *p = v; return p; }
static struct point global = { 1, 2 };
static struct point *get(void) { return &global; }
static struct point counter(void) { global.x++; return global; }
static int mixed(char a, struct point p, long b, struct tiny t, struct pair q, int *r) { *r = a + p.x + b + t.c; return q.second - p.y; }

static struct point fib(int n) {
    if (n == 0) {
        return make(0, 1);
    }
    struct point before = fib(n - 1);
    return make(before.y, before.x + before.y);
}

static int depth(struct large l, int n) {
    struct large mine = l;
    mine.data[n] = n;
    int below = n > 0 ? depth(mine, n - 1) : 0;
    return below * 2 + mine.data[n] + l.data[n + 1] + mine.head;
}

static struct point tree(int n) {
    struct point p = { n, 1 };
    return n < 2 ? p : plus(p, plus(tree(n - 1), tree(n - 2)));
}

static struct point select_one(int c, struct point a, struct point b) { return c ? a : b; }
static struct point early(int c) { struct point p = { 5, 5 }; if (c) { return global; } for (;;) { p.x--; if (p.x < c) { return p; } } }

int main(void) {
    struct point a = make(1, 2), b, *p = &a, list[3] = { { 1, 1 }, { 2, 2 }, { 3, 3 } };
    b = a; b.x = 7; R(weight(a)); R(weight(b)); R(weight(swap(b))); R(weight(b)); R(weight(plus(swap(a), swap(swap(b)))));
    R(weight(plus(plus(make(1, 1), make(2, 2)), plus(make(3, 3), make(4, 4))))); R(make(3, 4).y); R(swap(make(3, 4)).x + swap(b).y);
    a = swap(a); R(weight(a)); *p = plus(*p, *p); R(weight(a)); a = *p; list[1] = list[0] = b; R(weight(list[1])); R((a = b).x); R((list[2] = swap(b)).y);
    int c = 1; R(weight(c ? a : b)); R((c ? list[0] : list[2]).y); b = c ? swap(list[2]) : a; R(weight(b)); a = !c ? a : (c++, list[2]); R(weight(a)); R(c);
    R(weight((c--, list[1]))); R(weight(({ struct point t = { 8, 9 }; t.x += c; t; }))); a = ({ b; }); R(weight(a)); R(({ struct point u = a; u; }).y);
    struct line l = line(a, make(5, 6), 'q'), m = flip(l); R(weight(l.from)); R(weight(m.from)); R(m.tag); R(flip(flip(m)).tag); R(flip(l).to.y); m.to = make(9, 9); R(weight(m.to)); l.from = m.to = swap(make(1, 8)); R(weight(l.from));
    struct line lines[2] = { l, flip(l) }; lines[0].to = lines[1].from; R(weight(lines[0].to)); struct line *lp = lines; lp++->tag = 1; lp->tag = 2; R(lines[0].tag + lines[1].tag); *lp-- = flip(lines[0]); R(lp->tag); R(lp[1].tag);
    static struct large big; struct large copy = grow(big, 2); R(check(big)); R(check(copy)); big = grow(grow(copy, 3), 1); R(check(big)); struct large other; other = big; other.data[99]++; R(check(other) - check(big)); R(depth(other, 5)); R(grow(big, 1).data[50]);
    R(tiny('x').c); R(odd_sum(odd(3))); struct odd o = odd(9), *op = &o; R(odd_sum(*op)); struct pair q = pair(-1LL << 40, -3); R(q.first); R(q.second); R(pair(5, 6).second);
    R(weight(*keep(&list[1], make(4, 2)))); R(keep(&a, *keep(&b, list[1]))->x); R(get()->y); get()->y = 50; R(global.y); *get() = make(0, 7); R(weight(global)); R(weight(counter())); R(counter().x);
    int r; R(mixed(1, a, 100000, tiny(3), pair(9, 10), &r)); R(r); R(fib(20).x); R(weight(tree(7))); R(weight(select_one(0, a, make(6, 6)))); R(weight(early(0))); R(weight(early(1)));
    struct { int n; struct point in[2]; } anon = { 2, { { 1, 2 }, { 3, 4 } } }, anon2 = anon; anon2.in[1].y++; R(anon.in[1].y); R(anon2.in[1].y);
    struct wrap { int v[3]; } w = { { 1, 2, 3 } }, x = w; x.v[0] = 10; R(w.v[0]); w = x; R(w.v[0]); list[0] = list[1], list[1] = list[2]; R(weight(list[0]));
    for (int i = 0; i < 3; i++) { struct point fresh = make(i, c); list[i] = plus(fresh, i ? list[i - 1] : a); } R(weight(list[2])); p = list; *p++ = *(list + 2); R(p - list); R(weight(list[0]));
    a = a; R(weight(a)); p = &list[1]; list[1] = *p; R(weight(*p)); (*(c ? &a : &b)).x = 44; R(a.x); (&list[1])->y = (&a)->x; R(list[1].y);
    return 0;
}
