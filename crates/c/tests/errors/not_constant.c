int main(void) {
    int x = 1;
    switch (x) {
    case x:
        return 1;
    }
    return 0;
}
