// expect: FALSE(valid-deref)
// property: valid-memsafety
// More bytes are compared than there are, although the first ones differ.
#include <string.h>

int main(void)
{
    char few[2] = {1, 2};
    char many[8] = {3, 4};
    return memcmp(few, many, 8) == 0;
}
