// expect: FALSE(valid-deref)
// property: valid-memsafety
// fopen may give null.
typedef struct stream FILE;
extern FILE *fopen(const char *name, const char *mode);
extern int fclose(FILE *stream);

int main(void) {
    fclose(fopen("name", "w"));
    return 0;
}
