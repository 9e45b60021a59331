void report(unsigned long long value);
int a = 1;
extern int b __attribute__((alias("a")));
extern int early;
extern __typeof__(early) early __attribute__((alias("late")));
int late = 7;
static int local(int x) { return x + 1; }
int other(int) __attribute__((alias("local")));
int declared(int x);
int declared(int x) __attribute__((alias("local")));
int f(void) __asm__("symbol_of_f");
int f(void) { return __func__[0]; }
int symbol_of_f(void);
int variable __asm__("symbol_of_variable") = 5;
int target(void) { return 9; }
#pragma weak weak_name = target
int weak_name(void);
int __attribute__((weak)) weak_definition(void) { return 10; }
int weak_variable __attribute__((weak)) = 11;
static int referred(void) __attribute__((weakref("target")));
int main(void) {
    b = 3; report(a);
    early++; report(late);
    report(other(1)); report(declared(2));
    report(f()); report(symbol_of_f());
    variable++; report(variable);
    report(weak_name());
    report(weak_definition()); report(weak_variable);
    report(referred());
    return 0;
}
