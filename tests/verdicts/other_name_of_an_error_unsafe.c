// expect: FALSE(unreach-call)
void reach_error(void) {}
void stop(void) __attribute__((alias("reach_error")));
int main(void) {
    stop();
    return 0;
}
