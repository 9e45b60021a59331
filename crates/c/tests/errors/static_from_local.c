int main(void) {
    int x = 1;
    static int size = sizeof x;
    static int y = x + 2;
    return y + size;
}
