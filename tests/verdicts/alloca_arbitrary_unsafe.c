// expect: FALSE(unreach-call)
// Memory of alloca holds anything at first, also where no other memory is.
extern void reach_error(void);

int main(void) {
    int *count = __builtin_alloca(sizeof *count);
    if (*count == 5) reach_error();
    return 0;
}
