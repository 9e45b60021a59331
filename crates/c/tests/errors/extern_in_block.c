int main(void) {
    int n = 3;
    extern int a[n];
    extern int b = 2;
    static char c[n];
    return 0;
}
