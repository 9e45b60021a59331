// expect: TRUE

typedef unsigned long size_t;
extern size_t strlen(const char *);
extern int strcmp(const char *, const char *);
extern char *strtok(char *, const char *);
extern char *strncpy(char *, const char *, size_t);
extern char *strcat(char *, const char *);
extern char *strstr(const char *, const char *);
extern char *strrchr(const char *, int);
extern char *strdup(const char *);
extern int memcmp(const void *, const void *, size_t);
extern long strtol(const char *, char **, int);
extern int *__errno_location(void);
extern int isalpha(int), isspace(int);
extern void qsort(void *, size_t, size_t, int (*)(const void *, const void *));
extern void *bsearch(const void *, const void *, size_t, size_t, int (*)(const void *, const void *));
extern void free(void *);
extern void reach_error(void);

static void check(int condition)
{
    if (!condition)
        reach_error();
}

static int by_value(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
int main(void) {
    char text[32] = "one,two;three";
    check(strlen(text) == 13);
    check(strcmp(strtok(text, ",;"), "one") == 0);
    check(strcmp(strtok(0, ",;"), "two") == 0);
    check(strcmp(strtok(0, ",;"), "three") == 0);
    check(strtok(0, ",;") == 0);
    char copy[16];
    strncpy(copy, "abc", sizeof copy);
    check(copy[15] == 0 && strcat(copy, "def") == copy && strstr(copy, "cd") == copy + 2);
    char *end;
    check(strtol(" -0x1fz", &end, 0) == -31 && *end == 'z');
    *__errno_location() = 0;
    check(strtol("99999999999999999999", 0, 10) > 0 && *__errno_location() == 34);
    check(isalpha('x') && !isalpha('1') && isspace('\n'));
    int numbers[5] = {5, 3, 9, 1, 7}, key = 7;
    qsort(numbers, 5, sizeof *numbers, by_value);
    check(numbers[0] == 1 && numbers[4] == 9);
    check(bsearch(&key, numbers, 5, sizeof *numbers, by_value) == numbers + 3);
    char *s = strdup("hello");
    check(strrchr(s, 'l') == s + 3 && memcmp(s, "help", 4) < 0);
    free(s);
    return 0;
}
