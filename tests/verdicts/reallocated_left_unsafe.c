// expect: FALSE(valid-memcleanup)
// property: valid-memcleanup
// What realloc gives must be freed.
#include <stdlib.h>

int main(void) {
    int *p = malloc(4);
    p = realloc(p, 8);
    return 0;
}
