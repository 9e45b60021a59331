extern float __VERIFIER_nondet_float(void);
extern double __VERIFIER_nondet_double(void);
extern long double __VERIFIER_nondet_longdouble(void);
extern void reach_error(void);
struct sample {
    float value;
    double weights[2];
};
static double weighted(const struct sample *s, float bias) {
    return s->value * s->weights[1] + bias;
}
int main(void) {
    struct sample s;
    s.value = __VERIFIER_nondet_float();
    s.weights[1] = __VERIFIER_nondet_double();
    float nothing = __VERIFIER_nondet_float();
    long double one = __VERIFIER_nondet_longdouble();
    double sum = weighted(&s, 1e10f) / 3;
    if (sum > 1e6 && nothing != nothing && one == 1)
        reach_error();
    return 0;
}
