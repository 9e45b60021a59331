// expect: FALSE(unreach-call)
extern void reach_error(void);
void *malloc(unsigned long size);

int main(void) {
    int *p = malloc(4 * sizeof *p);
    p[1] = 5;
    if (p[1] == 5 && p[2] == 77 && p[3] == -1) {
        reach_error();
    }
    return 0;
}
