int main(void) {
    return 09;
}
