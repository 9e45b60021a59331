// expect: TRUE
// property: valid-memcleanup
// The twin of reallocated_left_unsafe.c.
#include <stdlib.h>
#include <string.h>

int main(void) {
    int *p = malloc(4);
    p = realloc(p, 8);
    free(p);
    p = realloc(malloc(3), 0);
    free(strdup("text"));
    return p != 0;
}
