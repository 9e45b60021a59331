// expect: FALSE(unreach-call)
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

struct pair { int a, b; };

int main(void) {
    struct pair x = { 1, 2 }, y = { 3, 4 };
    struct pair *p = __VERIFIER_nondet_int() ? &x : &y, *q = __VERIFIER_nondet_int() ? &x : &y;
    p->a = 10;
    q->a = 20;
    if (p->a == 20 && p->b == 4) {
        reach_error();
    }
    return 0;
}
