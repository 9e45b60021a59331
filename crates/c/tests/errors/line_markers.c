# 1 "elsewhere.c"
# 100 "elsewhere.c"
int main(void) {
    return 1 +;
}
