/* lp64 only: with 32 bits Microsoft's layout of wide bit-fields is refused. */
void report(unsigned long long value);
#define R(...) report((unsigned long long)(__VA_ARGS__))
#define MS __attribute__((ms_struct))
struct MS a { char x : 3; int y : 3; };
struct MS b { int x : 3; int y : 30; int z : 2; };
struct MS c { char x : 3; char : 0; char y; int z : 5; short w : 3; };
struct MS d { char x; int : 0; char y; };
struct MS e { int x : 3; short : 0; char y; };
struct MS f { short x : 3; short y : 13; short z : 1; long long w : 40; char v; };
struct MS g { char x : 1; unsigned char y : 7; char z : 1; int : 3; int w; };
union MS u { char x : 3; int y : 20; short : 0; };
struct __attribute__((gcc_struct)) h { char x : 3; int y : 3; };
struct plain { char x : 3; char : 0; char y; int z : 5; short w : 3; };
struct flexible { int n; char t[]; };
struct flexible one = {1, {2, 3}};
struct flexible text = {2, "abcdef"};
static struct { short n; int t[]; } numbers = {3, {[2] = 5, 6}};
struct aligned { char c; int t[] __attribute__((aligned(16))); } spaced = {1, {2, 3, 4}};
#pragma scalar_storage_order big-endian
struct big { unsigned short s; int n; long long l; char c; float f; double d; char text[4]; struct { int inner; } in; int *p; enum { E = 5 } e; };
#pragma scalar_storage_order default
struct native { int n; };
struct __attribute__((scalar_storage_order("big-endian"))) mixed { struct native n; int m; };
struct big given = {0x1234, -2, 0x123456789abcdef0LL, 'x', 1.5f, 0.1, "abc", {77}, 0, E};
int total(int n) { struct s { short head; int tail[n]; } v; struct s *p = &v; p->head = 1; for (int i = 0; i < n; i++) p->tail[i] = i; return p->head + v.tail[n - 1] + sizeof(struct s) + sizeof v.tail; }
static void raw(void *p, int n) { for (int i = 0; i < n; i++) R(((unsigned char *)p)[i]); }
int main(void) {
    R(sizeof(struct a)); R(sizeof(struct b)); R(sizeof(struct c)); R(sizeof(struct d)); R(sizeof(struct e)); R(sizeof(struct f)); R(sizeof(struct g)); R(sizeof(union u)); R(sizeof(struct h)); R(sizeof(struct plain));
    R(_Alignof(struct a)); R(_Alignof(struct c)); R(_Alignof(struct d)); R(_Alignof(struct e)); R(_Alignof(struct f)); R(_Alignof(struct g)); R(_Alignof(union u));
    union { struct a a; struct b b; struct c c; struct e e; struct f f; struct g g; unsigned char raw[40]; } x; for (int i = 0; i < 40; i++) x.raw[i] = 0;
    x.a.x = -1; x.a.y = 2; raw(&x, 8); for (int i = 0; i < 40; i++) x.raw[i] = 0;
    x.b.x = -1; x.b.y = 0x12345678; x.b.z = 1; raw(&x, 12); for (int i = 0; i < 40; i++) x.raw[i] = 0;
    x.c.x = -1; x.c.y = 3; x.c.z = 7; x.c.w = 2; raw(&x, sizeof x.c); for (int i = 0; i < 40; i++) x.raw[i] = 0;
    x.e.x = 1; x.e.y = 5; raw(&x, sizeof x.e); for (int i = 0; i < 40; i++) x.raw[i] = 0;
    x.f.x = 1; x.f.y = 0x555; x.f.z = 1; x.f.w = 0x1234567890LL; x.f.v = 9; raw(&x, sizeof x.f); for (int i = 0; i < 40; i++) x.raw[i] = 0;
    x.g.x = 1; x.g.y = 85; x.g.z = 1; x.g.w = 3; raw(&x, sizeof x.g);
    R(sizeof one); R(one.t[1]); R(text.t[5]); R(text.t[6]); R(numbers.t[2]); R(numbers.t[3]); R(numbers.t[0]); R(spaced.t[2]); R(sizeof spaced);
    raw(&given, 2); R(given.n); R(given.l); R(given.c); R(given.f == 1.5f); R(given.d == 0.1); R(given.text[2]); R(given.in.inner); R(given.p == 0); R(given.e);
    given.s = 0xfedc; R(given.s); R((given.n = 5) + 1); raw((char *)&given, 16);
    struct big copy = given; R(copy.n); struct mixed m = {{1}, 2}; raw(&m, 8); struct big *p = &copy; R(p->s); p->l = -3; R(p->l);
    R(total(1)); R(total(7));
    return 0;
}
