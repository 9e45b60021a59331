// expect: TRUE
// property: valid-memsafety
// While the search for a text goes on, what its caller holds is not lost, although the search is written as a loop without end.
#include <stdlib.h>
#include <string.h>

static int has(const char *part)
{
    char *text = calloc(4, 1);
    int found = strstr(text, part) != 0;
    free(text);
    return found;
}

int main(void)
{
    return has("ab") + has("");
}
