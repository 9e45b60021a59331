/*
 * A controller for an elevator with four floors. Each round a passenger may press a button, then the
 * controller makes one step. The doors must never be open while the cabin moves.
 *
 * Expected verdict: FALSE. It takes a few rounds and the right buttons at the right time.
 */
extern _Bool __VERIFIER_nondet_bool(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);

enum state { IDLE, MOVING_UP, MOVING_DOWN, DOORS_OPEN };

static enum state state = IDLE;
static unsigned char floor_now = 0;
static unsigned char target = 0;
static _Bool doors_open = 0;

static void press(unsigned char floor) {
    if (floor < 4) {
        target = floor;
        /* The bug: whoever presses a button while the doors are open gets the cabin going at once. */
        if (state == DOORS_OPEN && floor > floor_now) {
            state = MOVING_UP;
        }
    }
}

static void step(void) {
    switch (state) {
    case IDLE:
        if (target > floor_now) {
            state = MOVING_UP;
        } else if (target < floor_now) {
            state = MOVING_DOWN;
        }
        break;
    case MOVING_UP:
        floor_now++;
        if (floor_now == target) {
            state = DOORS_OPEN;
            doors_open = 1;
        }
        break;
    case MOVING_DOWN:
        floor_now--;
        if (floor_now == target) {
            state = DOORS_OPEN;
            doors_open = 1;
        }
        break;
    case DOORS_OPEN:
        doors_open = 0;
        state = IDLE;
        break;
    }
}

int main(void) {
    for (int round = 0; round < 6; round++) {
        if (__VERIFIER_nondet_bool()) {
            press(__VERIFIER_nondet_uchar());
        }
        if (doors_open && (state == MOVING_UP || state == MOVING_DOWN)) {
            reach_error();
        }
        step();
    }
    return 0;
}
