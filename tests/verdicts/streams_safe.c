// expect: TRUE
// The streams of the library are different, and can be handed on.
typedef struct stream FILE;
extern FILE *stdin, *stdout, *stderr;
extern int fputs(const char *s, FILE *stream);
extern void __VERIFIER_error(void);

static FILE *other(FILE *stream) {
    return stream == stdout ? stderr : stdout;
}

int main(void) {
    FILE *streams[3] = {stdin, stdout, stderr};
    FILE **where = &stdout;
    if (streams[0] == streams[1] || streams[2] == 0) __VERIFIER_error();
    if (other(stdout) != stderr || *where != streams[1]) __VERIFIER_error();
    fputs("text", other(stdin));
    return 0;
}
