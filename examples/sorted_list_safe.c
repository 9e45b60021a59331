// Inserts arbitrary numbers into a sorted linked list on the heap; it stays sorted.
// Verdict: TRUE.

#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

struct node {
    int value;
    struct node *next;
};

static void insert(struct node **head, int value)
{
    struct node **place = head;
    while (*place && (*place)->value < value)
        place = &(*place)->next;
    struct node *node = malloc(sizeof *node);
    node->value = value;
    node->next = *place;
    *place = node;
}

int main(void)
{
    struct node *list = NULL;
    for (int i = 0; i < 4; i++)
        insert(&list, __VERIFIER_nondet_int());
    for (struct node *node = list; node && node->next; node = node->next)
        if (node->value > node->next->value)
            reach_error();
    while (list) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
    return 0;
}
