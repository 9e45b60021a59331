// expect: FALSE(valid-deref)
// property: valid-memsafety
// mktime reads what it is given.
#include <time.h>

int main(void) {
    return (int)mktime(0);
}
