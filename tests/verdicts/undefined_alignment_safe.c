// expect: TRUE
// property: valid-memsafety
// C11 6.3.2.3p7: a word at an odd address of allocated bytes. On x86 that is an access like any other.
#include <stdlib.h>

int main(void)
{
    char *bytes = calloc(8, 1);
    int *word = (int *)(bytes + 3);
    *word = 5;
    int result = *word - 5;
    free(bytes);
    return result;
}
