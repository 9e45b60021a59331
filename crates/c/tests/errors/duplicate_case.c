int main(void) {
    switch (1) {
    case 1:
        return 1;
    case 2 - 1:
        return 2;
    }
    return 0;
}
