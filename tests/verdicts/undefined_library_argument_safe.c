// expect: TRUE
// property: valid-memsafety
// C11 7.1.4p1: what a library function reads and writes is there.
#include <string.h>

int main(void)
{
    char text[6];
    strcpy(text, "hello");
    return strlen(text) != 5;
}
