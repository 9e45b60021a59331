// expect: FALSE(valid-memtrack)
// property: valid-memsafety
// Objects that only point to each other are lost.
extern void *malloc(unsigned long);
extern void *realloc(void *, unsigned long);
extern void free(void *);
struct n { struct n *next; };
struct n *g;
int main(void)
{
    struct n *a = malloc(sizeof *a), *b = malloc(sizeof *b);
    a->next = b;
    b->next = a;
    g = 0;
    return 0;
}
