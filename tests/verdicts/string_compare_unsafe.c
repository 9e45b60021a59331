// expect: FALSE(unreach-call)
extern void reach_error(void);
extern char __VERIFIER_nondet_char(void);

static int same(const char *a, const char *b) {
    while (*a && *a == *b) {
        a++;
        b++;
    }
    return *a == *b;
}

int main(void) {
    char word[5];
    for (int i = 0; i < 4; i++) {
        word[i] = __VERIFIER_nondet_char();
    }
    word[4] = 0;
    if (same(word, "key!")) {
        reach_error();
    }
    return 0;
}
