// expect: FALSE(valid-deref)
// property: valid-memsafety
// The twin of allocations_safe.c.
#include <stdlib.h>

int main(void) {
    int *p = aligned_alloc(16, 32);
    if (!p) return 1;
    p[8] = 1;
    free(p);
    return 0;
}
