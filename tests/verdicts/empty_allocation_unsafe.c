// expect: FALSE(valid-deref)
// property: valid-memsafety
// An allocation of no bytes holds none.
#include <stdlib.h>

int main(void) {
    char *p = malloc(0);
    if (!p) return 1;
    *p = 1;
    free(p);
    return 0;
}
