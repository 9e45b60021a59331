// expect: UNKNOWN
extern void reach_error(void);
int main(void) {
    _Decimal64 x = 0.1DD;
    if (x + 0.2DD != 0.3DD) reach_error();
    return 0;
}
