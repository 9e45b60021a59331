// expect: FALSE(valid-deref)
// property: valid-memsafety
// C11 6.3.2.3p7: a word at an odd address, the last byte of which is beyond the object.
#include <stdlib.h>

int main(void)
{
    char *bytes = calloc(8, 1);
    int *word = (int *)(bytes + 5);
    *word = 5;
    free(bytes);
    return 0;
}
