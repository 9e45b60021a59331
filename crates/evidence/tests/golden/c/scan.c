extern char __VERIFIER_nondet_char(void);
extern void reach_error(void);

int main(void)
{
    char text[8] = "key=";
    char rest[4];
    int end = 0;
    while (text[end])
        end++;
    text[end] = __VERIFIER_nondet_char();
    text[end + 1] = rest[2];
    const char *p = text;
    while (*p != '=')
        p++;
    if (p[1] == 'x' && p[2] == '!')
        reach_error();
    return 0;
}
