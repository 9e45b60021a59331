// expect: UNKNOWN(undefined behaviour)
extern void reach_error(void);

int main(void) {
    int a[3] = { 0 };
    int *p = a;
    p[3] = 1;
    if (a[0]) {
        reach_error();
    }
    return 0;
}
