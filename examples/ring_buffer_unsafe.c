// A ring buffer that forgets to check whether it is full: a value is overwritten before it is read.
// Verdict: FALSE(unreach-call).

extern unsigned char __VERIFIER_nondet_uchar(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void reach_error(void);

#define SIZE 4

struct ring {
    unsigned char values[SIZE];
    unsigned head;
    unsigned tail;
};

static void put(struct ring *ring, unsigned char value)
{
    ring->values[ring->tail % SIZE] = value;
    ring->tail++;
}

static unsigned char get(struct ring *ring)
{
    return ring->values[ring->head++ % SIZE];
}

int main(void)
{
    struct ring ring = { .head = 0, .tail = 0 };
    unsigned char first = __VERIFIER_nondet_uchar();
    put(&ring, first);
    for (int i = 0; i < 5 && __VERIFIER_nondet_bool(); i++)
        put(&ring, __VERIFIER_nondet_uchar());
    if (get(&ring) != first)
        reach_error();
    return 0;
}
