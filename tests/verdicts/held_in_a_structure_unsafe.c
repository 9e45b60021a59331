// expect: FALSE(valid-memtrack)
// property: valid-memsafety
// The list loses a node, which shows when the program ends in a function.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

struct node {
    struct node *next;
};
struct list {
    int length;
    struct node *first;
};

static void add(struct list *list)
{
    struct node *node = malloc(sizeof *node);
    node->next = list->length == 1 ? 0 : list->first;
    list->first = node;
    list->length++;
    if (__VERIFIER_nondet_int())
        exit(0);
}

int main(void)
{
    struct list list = {0, 0};
    add(&list);
    add(&list);
    while (list.first) {
        struct node *next = list.first->next;
        free(list.first);
        list.first = next;
    }
    return 0;
}
