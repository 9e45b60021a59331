// expect: TRUE
extern void reach_error(void);
extern int atexit(void (*)(void));
static int order = 1;
static void registered(void) { if (order != 1) reach_error(); order = 2; }
static void registered_later(void) { if (order != 1) reach_error(); }
__attribute__((destructor)) static void b(void) { if (order != 3) reach_error(); order = 4; }
__attribute__((destructor)) static void a(void) { if (order != 2) reach_error(); order = 3; }
__attribute__((destructor(101))) static void z(void) { if (order != 4) reach_error(); }
int main(void) {
    atexit(registered);
    atexit(registered_later);
    return 0;
}
