/* Pointers: lists, trees, functions, addresses of locals, integers. */
void report(unsigned long long value);
#define R(...) report((unsigned long long)(__VA_ARGS__))
#define offsetof(t, m) __builtin_offsetof(t, m)
#define container_of(p, t, m) ((t *)((char *)(p) - offsetof(t, m)))
#define container_of_checked(p, t, m) ({ const __typeof__(((t *)0)->m) *mine = (p); (t *)((char *)mine - offsetof(t, m)); })

struct head { struct head *next, *prev; };
struct item { int value; struct head link; char tag; struct head other; };
static struct head queue = { &queue, &queue };

static void insert(struct head *new, struct head *before) { new->next = before->next; new->prev = before; before->next->prev = new; before->next = new; }
static void take(struct head *e) { e->prev->next = e->next; e->next->prev = e->prev; e->next = e->prev = 0; }

static void lists(void) {
    struct item items[4], *i; struct head *h; struct head local = { &local, &local };
    for (int k = 0; k < 4; k++) { items[k].value = k * 11; items[k].tag = k; insert(&items[k].link, &queue); insert(&items[k].other, local.prev); }
    for (h = queue.next; h != &queue; h = h->next) { R(container_of(h, struct item, link)->value); }
    for (i = container_of_checked(local.next, struct item, other); &i->other != &local; i = container_of_checked(i->other.next, struct item, other)) { R(i->value); R(i->tag); }
    take(&items[1].link); take(items[3].other.next); for (i = container_of(queue.next, struct item, link); &i->link != &queue; i = container_of(i->link.next, struct item, link)) { i->value++; R(i->value); }
    R(local.prev == &items[3].other); R(items[2].other.next == &items[3].other); while (queue.next != &queue) { take(queue.next); } R(queue.prev == &queue);
}

struct tree { struct tree *left, *right; int key; };
static struct tree pool[20]; static int used;
static struct tree *add(struct tree *t, int key) { if (!t) { t = &pool[used++]; t->key = key; return t; } if (key < t->key) { t->left = add(t->left, key); } else { t->right = add(t->right, key); } return t; }
static void add_loop(struct tree **t, int key) { while (*t) { t = key < (*t)->key ? &(*t)->left : &(*t)->right; } *t = &pool[used++]; (*t)->key = key; }
static void walk(const struct tree *t, int *order) { if (t) { walk(t->left, order); *order = *order * 7 + t->key; walk(t->right, order); } }
static int height(struct tree *t) { int l, r; return !t ? 0 : (l = height(t->left), r = height(t->right), 1 + (l > r ? l : r)); }

typedef int binary(int, int); typedef binary *operation;
static int plus(int a, int b) { return a + b; } static int minus(int a, int b) { return a - b; } static int times(int a, int b) { return a * b; }
static operation choose(char c) { switch (c) { case '+': return plus; case '-': return &minus; default: return *times; } }
static int (*nested(int which))(int, int) { return which ? plus : minus; }
static int apply(int f(int, int), int a, int b) { return f(a, b); } static int apply_twice(binary *f, int a) { return (*f)((**f)(a, a), a); }
struct vec { int x, y; }; static struct vec turn(struct vec v) { return (struct vec){ -v.y, v.x }; } static struct vec same(struct vec v) { return v; }
struct class { struct vec (*map)(struct vec); operation op; const char *name; }; static const struct class classes[] = { { turn, plus, "turn" }, { same, minus, "same" } };
static void set(int *p, int v) { *p = v; } static void (*setter)(int *, int) = set; static int zero_args(void) { return 5; } static int (*noproto)() = (int (*)())zero_args;

static int deep(int n, int *above) { int mine = n * 3, array[2] = { n, *above }; int below = n ? deep(n - 1, &mine) : 0; R(mine); R(array[1]); *above += mine; return below + array[0] + mine; }
static int even(int n, int *count); static int odd(int n, int *count) { int local = *count; if (n == 0) { return 0; } int r = even(n - 1, &local); *count += local; return r; }
static int even(int n, int *count) { int local = *count + 1; if (n == 0) { return 1; } int r = odd(n - 1, &local); *count += local; return r; }
static int *counter(void) { static int c = 10, *p = &c; ++*p; return p; } static int remember(int x) { static int last[3], at; last[at++ % 3] = x; return last[0] * 100 + last[1] * 10 + last[2]; }
static void swap(int *a, int *b) { int t = *a; *a = *b; *b = t; } static void permute(int *a, int n, int k) { if (k == n) { R(a[0] * 100 + a[1] * 10 + a[2]); return; } for (int i = k; i < n; i++) { swap(a + i, a + k); permute(a, n, k + 1); swap(&a[i], &a[k]); } }
static void advance(const char **s) { while (**s && **s != ' ') { ++*s; } } static int parse(const char **s) { int v = 0; while (**s >= '0' && **s <= '9') { v = v * 10 + *(*s)++ - '0'; } return v; }
static void out(int **p, int *q) { *p = q; } static int redirect(int ***p) { return ***p; }
static unsigned long tag(void *p, int t) { return (unsigned long)p | t; } static void *untag(unsigned long v) { return (void *)(v & ~3ul); }
struct bucket { int n; struct bucket *next; }; static struct bucket *reverse(struct bucket *b) { struct bucket *r = 0; while (b) { struct bucket *n = b->next; b->next = r; r = b; b = n; } return r; }

int main(void) {
    lists(); struct tree *root = 0, *second = 0; int keys[] = { 5, 2, 8, 1, 9, 3 }, order = 0; for (int i = 0; i < 6; i++) { root = add(root, keys[i]); add_loop(&second, keys[5 - i]); }
    walk(root, &order); R(order); order = 0; walk(second, &order); R(order); R(height(root)); R(height(second)); R(root->left->right->key);
    R(choose('+')(2, 3)); R((*choose('-'))(2, 3)); R(nested(0)(9, 4)); R(nested(1)(9, 4)); R(apply(times, 3, 4)); R(apply(choose('-'), 3, 4)); R(apply_twice(plus, 3)); R(choose('x') == times); R(choose('+') == minus); R(!choose('-')); operation o = 0; R(o == 0); o = o ? o : plus; R(o(1, 1)); R((1 ? plus : minus)(4, 4));
    for (int i = 0; i < 2; i++) { struct vec v = classes[i].map((struct vec){ 1, 2 }); R(v.x); R(v.y); R(classes[i].op(v.x, 4)); R(classes[i].name[1]); R(classes[i].map(classes[1 - i].map(v)).y); }
    int x = 1; setter(&x, 8); R(x); (*setter)(&x, 9); R(x); R(noproto()); operation ops[2][2] = { { plus, minus }, { times } }; R(ops[1][0](6, 7)); R(ops[0][x & 1](6, 7)); operation *opp = ops[0]; R(opp[1](1, 2)); R((*opp++)(1, 2)); R((**opp)(1, 2)); R(&plus == plus); R(sizeof(o));
    int top = 100; R(deep(4, &top)); R(top); int count = 0; R(even(6, &count)); R(count); R(odd(5, &count)); R(count); R(*counter()); *counter() = 50; R(*counter()); R(remember(1)); R(remember(2)); R(remember(3)); R(remember(4)); int perm[3] = { 1, 2, 3 }; permute(perm, 3, 0);
    const char *s = "12 345 6"; R(parse(&s)); advance(&s); s++; R(parse(&s)); R(*s); R(*++s); int *ptr, **pp = &ptr, y = 77; out(&ptr, &y); R(*ptr); R(redirect(&pp)); *pp = &x; R(*ptr); swap(&x, &y); R(x); R(y);
    unsigned long tagged = tag(&y, 2); R(tagged & 3); R(*(int *)untag(tagged)); *(int *)untag(tagged) = 3; R(y); void *v = &y; R(*(int *)v); char *bytes = v; bytes[0]++; R(y); R(v == bytes); R((long)v == (long)&y); int *nil = 0; R(nil == (void *)0); R(!nil); R((unsigned long)nil); R(&y && !nil); R(&x != &y);
    struct bucket b[3] = { { 1, b + 1 }, { 2, b + 2 }, { 3 } }, *r = reverse(b); R(r->n); R(r->next->next->n); R(r->next->next->next == 0); R(reverse(r)->next->n); struct bucket **link = &r; r = b; while (*link) { if ((*link)->n == 2) { *link = (*link)->next; } else { link = &(*link)->next; } } R(b[0].next->n); R(link == &b[2].next);
    volatile int vol = 3; volatile int *vp = &vol; *vp += 2; R(vol); const int con = 6; const int *const cp = &con; R(*cp * 2); register int reg = 4; R(reg); int *restrict rp = &x; *rp = 5; R(x); char *text[] = { "ab", "cd" }; R(text[1][1]); char **tp = text; R(**tp++); R((*tp)[0]); R(*(*tp + 1)); char buffer[4], *bp = buffer; while ((*bp++ = *s++) && bp < buffer + 3) { } R(bp - buffer); R(buffer[0]);
    int cells[3] = { 1, 2, 3 }, *c = cells; R(*c++ * 100 + *c); R(*(c += 1)); R(c[-2]); c -= 2; R(c == cells); R(1 + *&*&cells[2]); (void)*c; R(&cells[3] - c); R((int *)((char *)cells + 8) == &cells[2]); R(&*c == c); R(&c[1] == c + 1);
    return 0;
}
