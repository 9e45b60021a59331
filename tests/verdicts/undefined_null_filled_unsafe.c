// expect: FALSE(valid-deref)
// property: valid-memsafety
// Bytes are written through a null pointer.
#include <string.h>

int main(void)
{
    memset((char *)0, 0, 1);
    return 0;
}
