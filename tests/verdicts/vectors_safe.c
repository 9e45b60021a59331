// expect: TRUE
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
typedef int v4 __attribute__((vector_size(16)));
static v4 twice(v4 v) { return v + v; }
int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > 1000) return 0;
    v4 v = {1, 2, n};
    v4 w = twice(v) - 1;
    v4 below = w < v;
    if (sizeof(v4) != 16 || w[0] != 1 || w[1] != 3 || w[3] != -1 || below[3] != -1 || below[1] != 0) reach_error();
    if (w[2] != 2 * n - 1) reach_error();
    return 0;
}
