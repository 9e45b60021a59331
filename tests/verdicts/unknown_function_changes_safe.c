// expect: TRUE
// A function without body changes neither constants nor what it is not given.
extern void change(const int *value);
extern void look(const char *text, int length);
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
static const int fixed = 5;

int main(void) {
    int value = 1, other = 2;
    const int *which = __VERIFIER_nondet_int() ? &fixed : &value;
    look("text", 4);
    change(0);
    change(which);
    if (fixed != 5 || other != 2) reach_error();
    if (which == &fixed && value != 1) reach_error();
    return 0;
}
