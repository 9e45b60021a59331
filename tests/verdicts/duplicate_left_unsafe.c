// expect: FALSE(valid-memcleanup)
// property: valid-memcleanup
// strdup allocates.
#include <string.h>

int main(void) {
    return strdup("text") == 0;
}
