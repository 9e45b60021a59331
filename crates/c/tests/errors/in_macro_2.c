#define BROKEN (1 + )

int main(void) {
    return BROKEN;
}
