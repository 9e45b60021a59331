// expect: TRUE

// Runs for ever and reads an input in each round, but has few states: none is explored twice.

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

enum light { RED, GREEN, YELLOW };

int main(void)
{
    enum light cars = RED, walkers = GREEN;
    int rounds = 0;
    while (1) {
        int command = __VERIFIER_nondet_int();
        rounds++;
        if (command > 0 && walkers == RED)
            cars = cars == RED ? YELLOW : GREEN;
        else if (command < 0 && cars == RED)
            walkers = GREEN;
        else if (command == 0)
            cars = walkers = RED;
        if (cars != RED && walkers != RED)
            reach_error();
    }
}
