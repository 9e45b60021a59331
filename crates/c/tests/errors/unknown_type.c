uint32 x;

int main(void) {
    return 0;
}
