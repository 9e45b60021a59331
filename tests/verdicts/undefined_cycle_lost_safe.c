// expect: TRUE
// property: valid-memsafety
// The twin that is defined.
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
    g = b;
    return 0;
}
