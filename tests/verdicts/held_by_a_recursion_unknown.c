// expect: UNKNOWN(unsupported)
// property: valid-memsafety
// Each frame of a recursive function holds memory: nothing can look into those further out.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

static void down(int depth)
{
    char *own = malloc(1);
    if (depth == 0)
        abort();
    down(depth - 1);
    free(own);
}

int main(void)
{
    down(2);
    return 0;
}
