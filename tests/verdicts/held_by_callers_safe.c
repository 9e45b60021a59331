// expect: TRUE
// property: valid-memsafety
// The program ends in a function: its callers still point to everything.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

static void stop_if(int condition)
{
    if (condition)
        abort();
}

static int work(int *numbers, int count)
{
    char *own = malloc(4);
    stop_if(numbers[0] == count);
    free(own);
    return numbers[0];
}

int main(void)
{
    int *numbers = calloc(3, sizeof(int));
    int result = work(numbers, __VERIFIER_nondet_int());
    free(numbers);
    return result;
}
