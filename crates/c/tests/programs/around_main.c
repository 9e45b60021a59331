/* lp64 only: the 32-bit programs come without what calls constructors. */
void report(unsigned long long value);
int atexit(void (*)(void));
void exit(int);
__attribute__((constructor)) void c1(void) { report(1); }
__attribute__((constructor(300))) void c2(void) { report(2); }
__attribute__((constructor)) void c3(void) { report(3); }
__attribute__((constructor(150))) void c4(void) { report(4); }
void c5(void) __attribute__((constructor(150)));
__attribute__((destructor)) void d1(void) { report(11); }
__attribute__((destructor(300))) void d2(void) { report(12); }
__attribute__((destructor)) void d3(void) { report(13); }
__attribute__((destructor(150))) void d4(void) { report(14); }
__attribute__((destructor(150), constructor(151))) void d5(void) { report(15); }
void c5(void) { report(5); }
void x(void) { report(21); }
void y(void) { report(22); atexit(x); }
static int two(void) { return 2; }
static int three(void) { return 3; }
static void *choose(void) { return three; }
int chosen(void) __attribute__((ifunc("choose")));
int (*pointer)(void) = two;
int main(void) {
    report(100);
    atexit(x);
    atexit(y);
    atexit(x);
    report(chosen());
    report(pointer());
    pointer = chosen;
    report(pointer());
    if (pointer() == 3) exit(0);
    return 0;
}
