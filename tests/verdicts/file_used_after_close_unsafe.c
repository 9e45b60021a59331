// expect: FALSE(valid-deref)
// property: valid-memsafety
// A stream that was closed is no stream any more.
typedef struct stream FILE;
extern FILE *fopen(const char *name, const char *mode);
extern int fclose(FILE *stream), fputs(const char *s, FILE *stream);

int main(void) {
    FILE *file = fopen("name", "w"), *other = fopen("other", "w");
    if (!file || !other || file == other) return 1;
    fclose(file);
    fputs("fine", other);
    fputs("gone", file);
    return 0;
}
