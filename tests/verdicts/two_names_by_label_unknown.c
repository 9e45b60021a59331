// expect: UNKNOWN
extern void reach_error(void);
int x __asm__("y") = 4;
extern int y;
int main(void) {
    y = 5;
    if (x == 4) reach_error();
    return 0;
}
