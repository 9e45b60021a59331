// expect: TRUE
// property: valid-memsafety
// A file is opened, used and closed.
typedef struct stream FILE;
extern FILE *fopen(const char *name, const char *mode);
extern int fclose(FILE *stream);
extern char *fgets(char *s, int size, FILE *stream);

int main(void) {
    char line[3];
    FILE *file = fopen("name", "r");
    if (!file) return 1;
    if (fgets(line, sizeof line, file) && line[0] && line[1] && line[2]) return *(char *)0;
    fclose(file);
    return 0;
}
