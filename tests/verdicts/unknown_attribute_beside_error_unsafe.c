// expect: FALSE(unreach-call)
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
static int strange __attribute__((does_something_new));
int main(void) {
    if (__VERIFIER_nondet_int() == 4) reach_error();
    return strange;
}
