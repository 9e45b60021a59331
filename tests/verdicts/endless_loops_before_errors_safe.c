// expect: TRUE

extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

static void stop(void) {
    int phase = 0;
    while (phase < 3) {
        int ignored = __VERIFIER_nondet_int();
        ignored = 0;
        phase = (phase + 1) % 3;
    }
}

int main(void) {
    int x = __VERIFIER_nondet_int();
    if (x > 10) {
        stop();
        reach_error();
    }
    if (x < -10) {
        for (;;) {
            if (x == 5) reach_error();
        }
    }
    return 0;
}
