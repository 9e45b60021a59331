int main(void) {
    a = 1;
    b = 2;
    return c;
}
