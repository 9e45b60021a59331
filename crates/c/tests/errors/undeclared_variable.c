int main(void) {
    int count = 0;
    coumt = 1;
    return count;
}
