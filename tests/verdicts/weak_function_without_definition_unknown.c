// expect: UNKNOWN
extern void reach_error(void);
extern void perhaps(void) __attribute__((weak));
int main(void) {
    if (perhaps) return 1;
    reach_error();
    return 0;
}
