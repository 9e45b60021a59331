// expect: FALSE(unreach-call)
// What is read decides; no function of the program supplies it.
extern void reach_error(void);
typedef struct _IO_FILE FILE;
extern FILE *stdin;
extern char *fgets(char *text, int size, FILE *stream);

int main(void)
{
    char line[4];
    if (fgets(line, 4, stdin) != 0 && line[0] == 'x')
        reach_error();
    return 0;
}
