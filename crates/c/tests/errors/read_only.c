struct s { const int fixed; int free; int list[3]; };
typedef const int constant;
static const int table[2][2] = { { 1, 2 } };
void f(const char *text, char *const end, constant n) {
    *(char *)text = 1;
    *end = 2;
    text++;
    *text = 3;
    text[1] = 4;
    end = 0;
    n += 1;
}
int main(void) {
    const struct s a = { 1 };
    struct s b = { 2 };
    const struct s *p = &b;
    const int *q[2];
    int *const r = 0;
    q[0] = 0;
    *r = 1;
    *(int *)&a.free = 3;
    b.free = 1;
    ((struct s *)p)->free = 4;
    a.free = 1;
    a.list[1] = 1;
    b.fixed = 1;
    p->free++;
    --table[1][0];
    q[0][1] = 5;
    r = 0;
    return 0;
}
