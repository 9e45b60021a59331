// expect: TRUE
extern void reach_error(void);
int a = 1;
extern int b __attribute__((alias("a")));
static int two(void) { return 2; }
int also_two(void) __attribute__((alias("two")));
int f(void) __asm__("g");
int g(void) { return 3; }
int x __asm__("y") = 4;
#pragma weak later = g
int later(void);
int main(void) {
    b = 5;
    x++;
    if (a != 5 || also_two() != 2 || f() != 3 || x != 5 || later() != 3) reach_error();
    return 0;
}
