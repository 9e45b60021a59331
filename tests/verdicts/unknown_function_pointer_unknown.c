// expect: UNKNOWN(unsupported)
// What becomes of pointers that a function without body may change is not known.
struct list {
    struct list *next;
    int value;
};
extern void change(struct list *first);
extern void reach_error(void);

int main(void) {
    struct list last = {0, 1}, first = {&last, 2};
    change(&first);
    if (first.next != &last) reach_error();
    return 0;
}
