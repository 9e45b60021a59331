// expect: UNKNOWN(unsupported)
// property: valid-memsafety
// What was allocated is on its way to a parameter when the program ends: no variable holds it yet, and it is not lost either.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

static int chosen(void)
{
    if (__VERIFIER_nondet_int())
        abort();
    return 1;
}

static void drop(char *text, int count)
{
    if (count)
        free(text);
}

int main(void)
{
    drop(malloc(1), chosen());
    return 0;
}
