// expect: FALSE(valid-deref)
// property: valid-memsafety
// C11 6.5.6p8: what is written is beyond the member, and beyond the structure.
#include <string.h>

struct pair {
    char name[4];
    char next[4];
};

int main(void)
{
    struct pair pair;
    memset(pair.name, 0, 9);
    return pair.next[3];
}
