// expect: FALSE(valid-memtrack)
// property: valid-memsafety
// What a function held that has returned is held no more.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

static void stop_if(int condition)
{
    if (condition)
        exit(1);
}

static int take(void)
{
    char *own = malloc(4);
    stop_if(__VERIFIER_nondet_int() == 3);
    return 0;
}

int main(void)
{
    take();
    stop_if(1);
    return 0;
}
