int main(void) {
    int größe = 1;
    return 0;
}
