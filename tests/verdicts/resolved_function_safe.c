// expect: TRUE
extern void reach_error(void);
static int ready = 1, chosen;
static int one(int x) { return x + 1; }
static int two(int x) { return x + 2; }
static int (*choose(void))(int) { chosen = ready; return ready ? two : one; }
int f(int) __attribute__((ifunc("choose")));
__attribute__((constructor)) static void begin(void) { ready = 0; }
int main(void) {
    if (f(1) != 3 || !chosen) reach_error();
    return 0;
}
