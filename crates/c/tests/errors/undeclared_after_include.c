#include <limits.h>

int main(void) {
    int x = INT_MAX;
    return x + INT_MAXIMUM;
}
