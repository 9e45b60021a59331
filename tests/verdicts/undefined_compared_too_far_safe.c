// expect: TRUE
// property: valid-memsafety
// The twin that is defined.
#include <string.h>

int main(void)
{
    char few[2] = {1, 2};
    char many[8] = {3, 4};
    return memcmp(few, many, 2) == 0 || memcmp(few, many, 0) != 0;
}
