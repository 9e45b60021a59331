/* What programs report goes to standard output. */
#include <stdio.h>

void report(unsigned long long value) {
    printf("%llu\n", value);
}
