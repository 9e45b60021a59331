// expect: UNKNOWN
extern void reach_error(void);
typedef int v8 __attribute__((vector_size(32)));
int main(void) {
    v8 v = {1}, w = v + v;
    if (w[0] != 2) reach_error();
    return 0;
}
