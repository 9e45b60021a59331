// expect: FALSE(unreach-call)
extern void abort(void);
void reach_error(void) { abort(); }
void stop(void) __attribute__((alias("reach_error")));
int main(void) {
    stop();
    return 0;
}
