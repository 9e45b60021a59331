// expect: TRUE
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
static int cleaned;
static void count(int *p) { cleaned += *p; }
static int f(int n) {
    int one __attribute__((cleanup(count))) = 1;
    for (int i = 0; i < 3; i++) {
        int ten __attribute__((cleanup(count))) = 10;
        if (i == n) return cleaned;
        if (i == 1) continue;
        ten = 20;
    }
    return -1;
}
int main(void) {
    int n = __VERIFIER_nondet_int();
    int result = f(n);
    if (n == 0 && (result != 0 || cleaned != 11)) reach_error();
    if (n == 1 && (result != 20 || cleaned != 31)) reach_error();
    if (n == 7 && (result != -1 || cleaned != 51)) reach_error();
    return 0;
}
