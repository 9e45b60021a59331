int main(void) {
    uint32 x = 1;
    return 0;
}
