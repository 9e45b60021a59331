int main(void) {
    void *p = &&nowhere;
    int n = 0;
    goto *n;
    return 0;
}
void *q = &&outside;
