// expect: TRUE
extern void reach_error(void);
struct outer { int a; struct inner { int b[10]; }; };
int main(void) {
    if (sizeof(struct outer) != sizeof(int) || sizeof(struct inner) != 10 * sizeof(int)) reach_error();
    return 0;
}
