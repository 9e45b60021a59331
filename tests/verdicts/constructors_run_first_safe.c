// expect: TRUE
extern void reach_error(void);
static int order;
__attribute__((constructor)) static void last(void) { order = 10 * order + 3; }
__attribute__((constructor(200))) static void second(void) { order = 10 * order + 2; }
__attribute__((constructor(101))) static void first(void) { order = 10 * order + 1; }
int main(void) {
    if (order != 123) reach_error();
    return 0;
}
