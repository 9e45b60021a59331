union u { int i; long long l; };
int take(union u u) { return u.i; }
struct s { int x; };
int main(void) {
    struct s s = { 1 };
    union u u = (union u)s;
    return take(1);
}
