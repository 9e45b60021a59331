// expect: FALSE(unreach-call)
// C11 6.2.6.1p5: memory that was not initialised holds any byte, also where it is read as _Bool.
#include <stdlib.h>
extern void reach_error(void);

int main(void)
{
    _Bool *unset = malloc(1);
    unsigned char byte = *(unsigned char *)unset;
    if (byte == 7)
        reach_error();
    free(unset);
    return 0;
}
