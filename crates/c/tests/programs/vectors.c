void report(unsigned long long value);
#define R(...) report((unsigned long long)(__VA_ARGS__))
typedef int v4si __attribute__((vector_size(16)));
typedef unsigned v4ui __attribute__((vector_size(16)));
typedef signed char v8qi __attribute__((vector_size(8)));
typedef unsigned short v8hi __attribute__((vector_size(16)));
typedef float v4sf __attribute__((vector_size(16)));
typedef double v2df __attribute__((vector_size(16)));
typedef long long v2di __attribute__((vector_size(16)));
typedef int v4mode __attribute__((mode(SI), vector_size(16)));
struct holder { char c; v4si v; v8qi w[2]; };
union pun { v4si v; int i[4]; unsigned char c[16]; };
v4si global = {1, -2, 3};
struct holder held = {1, {4, 5, 6, 7}, {{1, 2}, {3}}};
struct holder elided = {1, 4, 5, 6, 7, 1, 2};
static v4si add(v4si a, v4si b) { return a + b; }
static void all(v4si v) { for (int i = 0; i < 4; i++) R(v[i]); }
static v4si returns_vector(int x) { return (v4si){x, x + 1, x + 2, x + 3}; }
int function(void) __attribute__((unused));
int function(void) { return 1; }
int main(void) {
    v4si a = {10, -20, 30, 0x7fffffff}, b = {3, 3, -7, 2};
    R(sizeof(v4si)); R(sizeof(struct holder)); R(_Alignof(v4si)); R(__builtin_offsetof(struct holder, w)); R(sizeof(v4mode));
    all(global); all(held.v); all(elided.v); R(held.w[0][1]); R(held.w[1][0]); R(elided.w[0][1]);
    all(add(a, global)); all(a - b); all(a * global); all(a / b); all(a % b); all(a & b); all(a | b); all(a ^ b);
    all(a << 1); all(a >> 2); all(a >> (v4si){1, 2, 3, 4}); all(-global); all(~a); all(+a);
    all(a == b); all(a < b); all(a >= b); all((v4si)((v4ui)a > (v4ui)b)); all(5 - a); all(a + 1);
    a += b; all(a); a *= 2; all(a); a <<= 1; all(a); a++; all(a); all(--a); all(a--); all(a);
    a[2] = 77; a[0] += 5; all(a); R((a + b)[1]); R(returns_vector(5)[2]);
    v8qi q = {127, 1, -128, 4}, r = {1, 2, 127, 4, 5}; q = q + r; for (int i = 0; i < 8; i++) R(q[i]);
    v8hi h = {65535, 2}; h += 1; for (int i = 0; i < 8; i++) R(h[i]);
    v4sf f = {1.5f, -2.25f, 3.0f, 0.1f}, g = {2.0f, 0.5f, -1.0f, 10.0f}; f = f * g + 1.0f;
    for (int i = 0; i < 4; i++) R(((union { float f; unsigned u; }){f[i]}).u);
    all(f < g); v2df d = {1.0, 3.0}; d /= 3; R(d[0] * 1000); R(d[1]);
    v2di l = (v2di)a; R(l[0]); R(l[1]); all((v4si)l);
    union pun p; p.v = a; R(p.i[3]); R(p.c[0]); p.i[1] = 9; all(p.v);
    v4si *pointer = &p.v; (*pointer)[3] = 8; R((*pointer)[3]); int n = 2; R((*pointer)[n]); R(p.v[n + 1]);
    long long __attribute__((vector_size(8))) one = {-5}; R((long long)one); R(((v8qi)0x0102030405060708LL)[1]);
    v4si chosen = n > 1 ? a : b; all(chosen); v4si array[3] = {{1}, a, b}; all(array[1]); all(array[n]);
    int __attribute__((vector_size(16))) *q4 = array; all(q4[2]);
    return 0;
}
