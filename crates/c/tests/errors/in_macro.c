#define BROKEN (1 + )
#define ID(x) x

int main(void) {
    int y = ID(3) + 1 2;
    return BROKEN;
}
