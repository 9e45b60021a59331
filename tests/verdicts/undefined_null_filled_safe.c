// expect: TRUE
// property: valid-memsafety
// The twin that is defined: no bytes are written.
#include <string.h>

int main(void)
{
    memset((char *)0, 0, 0);
    memcpy((char *)0, (char *)0, 0);
    return 0;
}
