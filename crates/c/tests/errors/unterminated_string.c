int main(void) {
    const char *s = "hello;
    return 0;
}
