// expect: TRUE
// property: valid-memsafety
// What is called by `exit` ends the program: the caller of `exit` and its callers still hold their memory.
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
    leave();
    *numbers = 3;
    free(numbers);
    return 0;
}
