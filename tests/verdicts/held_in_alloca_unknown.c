// expect: UNKNOWN(unsupported)
// property: valid-memsafety
// Only memory of alloca points to what was allocated when the program ends: it is not searched, so that nothing is said.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    char **kept = __builtin_alloca(2 * sizeof(char *));
    kept[0] = malloc(1);
    if (__VERIFIER_nondet_int())
        abort();
    free(kept[0]);
    return 0;
}
