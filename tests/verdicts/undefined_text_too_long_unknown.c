// expect: UNKNOWN(undefined behaviour)
// A text does not fit, in a program that calls no error function at all.
#include <string.h>

int main(void)
{
    char word[4];
    strcpy(word, "too long");
    return 0;
}
