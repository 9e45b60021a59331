// expect: UNKNOWN
extern void reach_error(void);
__attribute__((does_something_new)) static int f(void) { return 1; }
int main(void) {
    if (f() != 1) reach_error();
    return 0;
}
