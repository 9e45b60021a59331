// expect: UNKNOWN(undefined behaviour)
extern void reach_error(void);

static int *leak(int x) {
    int local = x, *p = &local;
    return p;
}

int main(void) {
    int *p = leak(4);
    if (*p != 4) {
        reach_error();
    }
    return 0;
}
