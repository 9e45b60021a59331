// expect: UNKNOWN(undefined behaviour)
extern void reach_error(void);
void *malloc(unsigned long size);
void free(void *pointer);

int main(void) {
    int *p = malloc(sizeof(int)), *q = p;
    *p = 3;
    free(p);
    if (*q != 3) {
        reach_error();
    }
    return 0;
}
