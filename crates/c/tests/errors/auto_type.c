struct s { unsigned b : 3; };
int main(void) {
    struct s s = { 1 };
    __auto_type a;
    __auto_type b = { 1 };
    __auto_type *c = &s;
    __auto_type d = s.b;
    return 0;
}
