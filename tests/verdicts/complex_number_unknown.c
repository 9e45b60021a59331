// expect: UNKNOWN
extern void reach_error(void);
int main(void) {
    _Complex double z = 1.0;
    if (z != 1.0) reach_error();
    return 0;
}
