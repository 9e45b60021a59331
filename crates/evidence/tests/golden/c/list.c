extern int __VERIFIER_nondet_int(void);
extern void *malloc(unsigned long);
extern void reach_error(void);

struct node {
    int value;
    int unused;
    struct node *next;
};

int main(void)
{
    struct node *head = 0;
    while (__VERIFIER_nondet_int()) {
        struct node *fresh = malloc(sizeof(struct node));
        fresh->value = __VERIFIER_nondet_int();
        fresh->unused = 7;
        fresh->next = head;
        head = fresh;
    }
    int previous = 0;
    for (struct node *at = head; at; at = at->next) {
        if (at->value < previous)
            reach_error();
        previous = at->value;
    }
    return 0;
}
