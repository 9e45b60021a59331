// expect: FALSE(valid-memtrack)
// property: valid-memsafety
// The caller has lost the memory before the program ends in a function.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

static void stop_if(int condition)
{
    if (condition)
        abort();
}

static int work(int count)
{
    char *own = malloc(4);
    own = 0;
    stop_if(count == 7);
    return 0;
}

int main(void)
{
    int *numbers = calloc(3, sizeof(int));
    if (__VERIFIER_nondet_int() != 7)
        numbers[0] = 1;
    else
        work(7);
    free(numbers);
    return 0;
}
