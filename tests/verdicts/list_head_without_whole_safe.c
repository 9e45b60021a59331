// expect: TRUE
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
void *malloc(unsigned long size);

struct head { struct head *next; };
struct item { int value; struct head link; };
#define item_of(pointer) ((struct item *)((char *)(pointer) - __builtin_offsetof(struct item, link)))

static struct head list = { &list };

int main(void) {
    for (int i = 0; i < 3; i++) {
        struct item *item = malloc(sizeof *item);
        item->value = __VERIFIER_nondet_int();
        if (item->value < 0) {
            return 0;
        }
        item->link.next = list.next;
        list.next = &item->link;
    }
    int count = 0;
    for (struct item *item = item_of(list.next); &item->link != &list; item = item_of(item->link.next)) {
        count++;
        if (item->value < 0) {
            reach_error();
        }
    }
    if (count != 3) {
        reach_error();
    }
    return 0;
}
