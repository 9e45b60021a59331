// expect: FALSE(unreach-call)
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
static struct { int n; char text[]; } x = {3, "abc"};
int main(void) {
    int i = __VERIFIER_nondet_int();
    if (i >= 0 && i < 4 && x.text[i] == 'c') reach_error();
    return 0;
}
