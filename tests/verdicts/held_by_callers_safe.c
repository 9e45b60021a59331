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

static int *zeros(int count)
{
    int *numbers = calloc(count, sizeof(int));
    stop_if(!numbers);
    return numbers;
}

int main(void)
{
    int *numbers = zeros(3);
    int result = work(numbers, __VERIFIER_nondet_int());
    free(numbers);
    return result;
}
