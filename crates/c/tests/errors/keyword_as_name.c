int main(void) {
    int for = 3;
    return 0;
}
