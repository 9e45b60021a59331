/* Allocated memory, variable length arrays, memory functions. */
typedef __SIZE_TYPE__ size_t;
void report(unsigned long long value);
void *malloc(size_t); void *calloc(size_t, size_t); void *realloc(void *, size_t); void free(void *); void *memcpy(void *, const void *, size_t); void *memmove(void *, const void *, size_t); void *memset(void *, int, size_t);
#define R(...) report((unsigned long long)(__VA_ARGS__))

struct node { int value; struct node *next; };
struct text { unsigned length; char data[]; };
struct counted { int n; struct { short a; long b; } rest[]; };
struct grid { int w, h; int **rows; };
struct stack { int *items; int used, room; };

static struct node *push(struct node *list, int v) { struct node *n = malloc(sizeof *n); n->value = v; n->next = list; return n; }
static void push_to(struct node **list, int v) { *list = push(*list, v); }
static int drop(struct node *list) { int s = 0; while (list) { struct node *next = list->next; s = s * 10 + list->value; free(list); list = next; } return s; }
static void append(struct node **list, int v) { while (*list) { list = &(*list)->next; } *list = malloc(sizeof **list); **list = (struct node){ v, 0 }; }
static struct text *text(const char *s) { unsigned n = 0; while (s[n]) { n++; } struct text *t = malloc(sizeof *t + n + 1); t->length = n; memcpy(t->data, s, n + 1); return t; }
static struct grid *grid(int w, int h) { struct grid *g = malloc(sizeof(struct grid)); g->w = w; g->h = h; g->rows = malloc(h * sizeof *g->rows); for (int i = 0; i < h; i++) { g->rows[i] = calloc(w, sizeof(int)); } return g; }
static void add(struct stack *s, int v) { if (s->used == s->room) { s->room = s->room ? 2 * s->room : 1; s->items = realloc(s->items, s->room * sizeof *s->items); } s->items[s->used++] = v; }
static int vla(int n) { int a[n], s = 0; for (int i = 0; i < n; i++) { a[i] = i * i; } for (int *p = a; p < a + n; p++) { s += *p; } return s + sizeof a; }
static int vla2(int n, int m) { short a[n][m + 1]; for (int i = 0; i < n; i++) { for (int j = 0; j <= m; j++) { a[i][j] = i * 10 + j; } } return a[n - 1][m] * 1000 + sizeof a + sizeof a[0]; }
static int take(int n, int m, int a[n][m]) { int s = 0; for (int i = 0; i < n; i++) { for (int j = 0; j < m; j++) { s = s * 3 + a[i][j]; } } return s; }
static int recursive(int n) { int a[n + 1]; a[n] = n; a[0] = 1; int below = n ? recursive(n - 1) : 0; return below + a[n] + a[0] * 10; }
static int strange(int n) { int calls = 0; int a[++calls + n]; int size = sizeof(int[calls++ + 1]); calls += size; R(sizeof a); return calls; }
static char *local_alloca(int n, char *out) { char *p = __builtin_alloca(n); memset(p, 'a', n); p[n - 1] = 0; for (int i = 0; (out[i] = p[i]); i++) { } return out; }
static int matrix_sum(int n, const int (*m)[n]) { int s = 0; for (int i = 0; i < n; i++) { s += m[i][i]; } return s; }

int main(void) {
    struct node *list = 0; for (int i = 1; i < 5; i++) { list = push(list, i); } push_to(&list, 9); append(&list, 7); R(list->next->value); R(drop(list)); list = 0; append(&list, 3); append(&list, 4); R(drop(list));
    struct text *a = text("hello"), *b = text(""); R(a->length); R(a->data[4]); R(b->data[0]); a->data[0] = 'j'; R(a->data[0]); R(sizeof *a); free(a); free(b); free(0);
    struct counted *c = malloc(sizeof *c + 3 * sizeof c->rest[0]); c->n = 3; for (int i = 0; i < c->n; i++) { c->rest[i].a = i; c->rest[i].b = -i; } R(c->rest[2].b); R(c->rest[1].a); R(&c->rest[2] - c->rest); free(c);
    struct grid *g = grid(3, 4); g->rows[2][1] = 5; g->rows[3][2] += 6; int total = 0; for (int i = 0; i < 4; i++) { for (int j = 0; j < 3; j++) { total = total * 2 + g->rows[i][j]; } } R(total); int *row = g->rows[1]; g->rows[1] = g->rows[2]; g->rows[2] = row; R(g->rows[1][1]); for (int i = 0; i < g->h; i++) { free(g->rows[i]); } free(g->rows); free(g);
    struct stack s = { 0 }; for (int i = 0; i < 20; i++) { add(&s, i * 3); } total = 0; while (s.used > 0) { total = total * 5 % 10007 + s.items[--s.used]; } R(total); R(s.room); s.items = realloc(s.items, 2 * sizeof(int)); R(s.items[1]); free(s.items);
    R(vla(5)); R(vla(1)); R(vla2(3, 4)); int m[2][3] = { { 1, 2, 0 }, { 2, 1, 1 } }; R(take(2, 3, m)); R(recursive(4)); R(strange(3)); char out[20]; R(local_alloca(6, out)[4]); R(out[5]);
    for (int n = 1; n < 4; n++) { int v[n], w[n][2]; v[n - 1] = n; w[n - 1][1] = v[n - 1] * 2; R(v[n - 1] + w[n - 1][1]); R(sizeof w); int (*pv)[n] = &v; R((*pv)[n - 1]); R(sizeof *pv); }
    int sq[3][3] = { { 1, 2, 3 }, { 4, 5, 6 }, { 7, 8, 9 } }; R(matrix_sum(3, sq)); int n = 3; int (*dyn)[n] = malloc(sizeof(int[n][n])); for (int i = 0; i < 9; i++) { dyn[i / 3][i % 3] = i * i; } R(dyn[2][2]); R(matrix_sum(n, dyn)); R(&dyn[2] - dyn); dyn++; R(dyn[0][0]); R((*dyn)[1]);
    int x[8] = { 1, 2, 3, 4, 5, 6, 7, 8 }, y[8]; memcpy(y, x, sizeof x); R(y[7]); memmove(x + 1, x, 4 * sizeof *x); for (int i = 0; i < 8; i++) { R(x[i]); } memmove(y, y + 2, 5 * sizeof(int)); for (int i = 0; i < 8; i++) { R(y[i]); }
    n = 4; memmove(x + 2, x, n * sizeof *x); for (int i = 0; i < 8; i++) { R(x[i]); } memmove(x, x + 1, n * sizeof *x); for (int i = 0; i < 8; i++) { R(x[i]); } memcpy(x, y + 4, n * sizeof(int)); R(x[0]); memset(x, 0, sizeof x); R(x[3]); memset(x + 1, -1, n * sizeof *x); R(x[4]); R(x[5]); memset(y, 1, 8); R(y[1]); R(y[2]);
    char bytes[100]; memset(bytes, 'z', 100); R(bytes[99]); memset(bytes + 10, 7, n + 9); R(bytes[22]); R(bytes[23]); memmove(bytes + 3, bytes, 90); R(bytes[13]); R(bytes[12]); memmove(bytes, bytes + 5, 95); R(bytes[8]); R(bytes[7]); R(*(char *)memset(bytes, 'q', n)); char *end = memcpy(bytes + 50, "text", 5); R(end - bytes); R(bytes[53]); memcpy(bytes, bytes + 1, 0);
    struct node from = { 5, &from }, to; memcpy(&to, &from, sizeof to); R(to.next->value); struct node many[3]; memset(many, 0, sizeof many); R(many[2].next == 0); many[1] = from; memmove(many, many + 1, sizeof *many * 2); R(many[0].value); memset(&to, 0, sizeof(to)); R(to.value); R(!to.next);
    long *longs = calloc(5, sizeof(long)); R(longs[4]); longs[1] = -1; R(((char *)longs)[sizeof(long)]); R(((unsigned char *)longs)[2 * sizeof(long) - 1]); longs = realloc(longs, 7 * sizeof *longs); R(longs[1]); free(longs); char *grown = realloc(0, 3); grown[2] = 4; R(grown[2]); free(grown);
    int *shared = malloc(4 * sizeof(int)), *alias = shared + 2; for (int i = 0; i < 4; i++) { shared[i] = i + 1; } *alias *= 10; R(shared[2]); R(alias[-1]); R(alias - shared); { int *both[2] = { shared, alias }; both[1][1] = 6; R(both[0][3]); } free(shared); void **cells = malloc(2 * sizeof *cells); cells[0] = &n; cells[1] = cells; R(*(int *)cells[0]); R(*(void **)cells[1] == &n); free(cells); unsigned char *big = malloc(10000); big[9999] = 1; memset(big, 2, 9999); R(big[9998] + big[9999]); free(big);
    return 0;
}
