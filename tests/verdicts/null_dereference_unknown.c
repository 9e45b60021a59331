// expect: UNKNOWN(undefined behaviour)
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

struct node { int value; struct node *next; };

int main(void) {
    struct node last = { 1, 0 }, first = { 2, &last };
    struct node *at = &first;
    int steps = __VERIFIER_nondet_int();
    if (steps < 0 || steps > 3) {
        return 0;
    }
    while (steps-- > 0) {
        at = at->next;
    }
    if (at->value == 0) {
        reach_error();
    }
    return 0;
}
