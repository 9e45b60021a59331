// expect: FALSE(valid-deref)
// property: valid-memsafety
// C11 7.1.4p1: the library function writes one byte more than there are.
#include <string.h>

int main(void)
{
    char text[5];
    strcpy(text, "hello");
    return text[0];
}
