// expect: UNKNOWN(unsupported)
// A function without body may change what it is given.
extern void change(int *value);
extern void __VERIFIER_error(void);

int main(void) {
    int value = 1;
    change(&value);
    if (value != 1) __VERIFIER_error();
    return 0;
}
