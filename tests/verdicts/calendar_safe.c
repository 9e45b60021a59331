// expect: TRUE
// property: valid-memsafety
// Fields of the calendar are in their ranges.
#include <time.h>

int main(void) {
    time_t now = time(0);
    char months[12] = {0}, text[8];
    struct tm *tm = localtime(&now);
    if (!tm) return 1;
    months[tm->tm_mon] = 1;
    size_t length = strftime(text, sizeof text, "%d", tm);
    if (length) text[length - 1] = 0;
    return mktime(tm) == 3;
}
