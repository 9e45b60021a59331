// expect: FALSE(valid-memtrack)
// property: valid-memsafety
// A variable of a block that was left holds nothing any more.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

static void stop(int **kept)
{
    if (__VERIFIER_nondet_int())
        abort();
    kept[0] = 0;
}

int main(void)
{
    int *other[1] = {0};
    {
        int *own[1];
        own[0] = malloc(4);
        stop(other);
    }
    stop(other);
    return 0;
}
