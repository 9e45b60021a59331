// expect: FALSE(valid-memtrack)
// property: valid-memsafety
// What is called by `exit` ends the program, and a caller has lost its memory.
#include <stdlib.h>

static void last(void)
{
    abort();
}

static void leave(void)
{
    char *own = malloc(1);
    exit(own == 0);
}

int main(void)
{
    atexit(last);
    int *numbers = malloc(4);
    numbers = 0;
    leave();
    return numbers == 0;
}
