void report(unsigned long long value);
#define R(...) report((unsigned long long)(__VA_ARGS__))
typedef int big __attribute__((aligned(16)));
typedef long long loose __attribute__((aligned(2)));
typedef struct { char c; int i; } __attribute__((packed)) tight;
typedef struct pl { char c; int i; } aligned_pl __attribute__((aligned(32)));
struct a { char c; big x; };
struct b { char c; loose x; };
struct c { char c; aligned_pl p; };
struct d { tight t[2]; short s; };
typedef unsigned char byte16[16] __attribute__((aligned(16)));
struct e { char c; byte16 b; };
struct __attribute__((packed)) outer { char c; struct pl p; struct { char x; int y; } in; };
struct f { char c __attribute__((aligned(8))); char d; short s __attribute__((aligned(8))); };
struct g { char a; int : 3; char b; }; struct h { char a; int x : 3; int : 0; char b; };
struct i { short a : 3; int b : 20; short c : 12; char d : 8; long long e : 50; };
#pragma pack(push, 1)
struct j { char a; int b : 9; int c : 25; short d; };
#pragma pack(pop)
#pragma pack(2)
struct k { char a; int b : 9; int c : 25; long long d : 60; };
#pragma pack()
struct l { unsigned char a : 1; unsigned b : 31; unsigned char c : 7; unsigned short d : 15; } __attribute__((packed));
union m { char c : 3; long long l : 35; short s; };
struct n { int a : 7 __attribute__((packed)); char b; int c : 30 __attribute__((aligned(8))); };
enum __attribute__((packed)) small { S0, S1 }; struct o { char c; enum small s; int i; };
int main(void) {
    R(sizeof(struct a)); R(__builtin_offsetof(struct a, x)); R(sizeof(struct b)); R(__builtin_offsetof(struct b, x)); R(sizeof(struct c)); R(__builtin_offsetof(struct c, p));
    R(sizeof(struct d)); R(__builtin_offsetof(struct d, s)); R(sizeof(struct e)); R(__builtin_offsetof(struct e, b)); R(sizeof(struct outer)); R(__builtin_offsetof(struct outer, in.y)); R(sizeof(struct f)); R(__builtin_offsetof(struct f, s));
    R(sizeof(struct g)); R(__builtin_offsetof(struct g, b)); R(sizeof(struct h)); R(__builtin_offsetof(struct h, b)); R(sizeof(struct i)); R(sizeof(struct j)); R(__builtin_offsetof(struct j, d)); R(sizeof(struct k)); R(sizeof(struct l)); R(sizeof(union m)); R(sizeof(struct n)); R(_Alignof(struct n)); R(_Alignof(struct k)); R(_Alignof(struct i)); R(_Alignof(struct g)); R(sizeof(struct o));
    union { struct j j; struct k k; struct l l; struct n n; struct i i; unsigned char raw[40]; } u; for (int q = 0; q < 40; q++) { u.raw[q] = 0; }
    u.j.b = -3; u.j.c = 0xABCDEF; u.j.d = 7; for (int q = 0; q < 40; q++) { R(u.raw[q]); u.raw[q] = 0; }
    u.k.b = -3; u.k.c = 0xABCDEF; u.k.d = 0x123456789ABCDELL; for (int q = 0; q < 40; q++) { R(u.raw[q]); u.raw[q] = 0; }
    u.l.a = 1; u.l.b = 0x5A5A5A5A; u.l.c = 99; u.l.d = 0x7F01; for (int q = 0; q < 40; q++) { R(u.raw[q]); u.raw[q] = 0; }
    u.n.a = -5; u.n.b = 9; u.n.c = 0x12345678; for (int q = 0; q < 40; q++) { R(u.raw[q]); u.raw[q] = 0; }
    u.i.a = 3; u.i.b = -70000; u.i.c = 999; u.i.d = -1; u.i.e = -1234567890123LL; for (int q = 0; q < 40; q++) { R(u.raw[q]); u.raw[q] = 0; }
    return 0;
}
