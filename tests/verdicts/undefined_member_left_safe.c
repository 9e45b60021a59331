// expect: TRUE
// property: valid-memsafety
// C11 6.5.6p8: what is written is beyond the member, but inside of the structure. The property is about objects: no violation.
#include <string.h>

struct pair {
    char name[4];
    char next[4];
};

int main(void)
{
    struct pair pair;
    memset(pair.name, 0, 8);
    return pair.next[3];
}
