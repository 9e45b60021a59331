#include <limits.h>

/* a comment */ int main(void) {
    return INT_MAX + ;
}
