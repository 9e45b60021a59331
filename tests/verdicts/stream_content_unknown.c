// expect: UNKNOWN(unsupported)
// property: valid-memsafety
// What is behind a stream is not known.
typedef struct stream { int first; } FILE;
extern FILE *stdin;

static int first(FILE *stream) {
    return stream->first;
}

int main(void) {
    return first(stdin) == 0;
}
