// expect: FALSE(unreach-call)
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
typedef short v8 __attribute__((vector_size(16)));
int main(void) {
    v8 v = {1, 2, 3};
    v[5] = (short)__VERIFIER_nondet_int();
    v *= v;
    if (v[2] == 9 && v[5] == 25) reach_error();
    return 0;
}
