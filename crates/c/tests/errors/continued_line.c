int main(void) {
    int x = 1 + \
        2 + \
        * / 3;
    return x;
}
