struct s { char c; _Static_assert(sizeof(int) == 2); };
int main(void) { return 0; }
