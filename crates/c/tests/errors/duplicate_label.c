int main(void) {
again:
    ;
again:
    goto again;
}
