// expect: TRUE
// property: valid-memsafety
// The other functions that allocate.
#include <stdlib.h>
#include <string.h>

int main(void) {
    int *p = aligned_alloc(16, 32);
    if (!p) return 1;
    p[7] = 1;
    p = realloc(p, 16);
    if (p[3] != p[3] || (size_t)p % 16 != 0) return 2;
    p = realloc(p, 0);
    if (p) return *(char *)0;
    void *q = 0;
    if (posix_memalign(&q, 64, 8) == 0) free(q);
    free(reallocarray(0, 3, 4));
    if (calloc((size_t)-1, 4)) return *(char *)0;
    char *copy = strdup("text");
    memcpy(0, 0, 0);
    free(copy);
    free(malloc(0));
    free(0);
    return strlen(strerror(3)) > 63 ? *(char *)0 : 0;
}
