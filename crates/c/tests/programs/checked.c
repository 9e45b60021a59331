/* Sizes of objects, and library functions that are given them. */
void report(unsigned long long value);
typedef __SIZE_TYPE__ size_t;

struct inner {
    short x, y;
};

struct outer {
    int a;
    char b[10];
    struct inner c[3];
    int d;
};

static char buffer[20];
static struct outer object, objects[4];
static union {
    char small[4];
    int large[6];
} both;

#define SIZES(e)                                                           \
    report(__builtin_object_size(e, 0));                                   \
    report(__builtin_object_size(e, 1));                                   \
    report(__builtin_object_size(e, 2));                                   \
    report(__builtin_object_size(e, 3));

#define DYNAMIC(e)                                                         \
    report(__builtin_dynamic_object_size(e, 0));                           \
    report(__builtin_dynamic_object_size(e, 3));

static int evaluated;

static void sizes(char *pointer, int *other) {
    int local;
    SIZES(buffer)
    SIZES(&buffer[3])
    SIZES(&buffer[20])
    SIZES(&object)
    SIZES(&object.a)
    SIZES(object.b)
    SIZES(&object.b[2])
    SIZES(&object.c[1])
    SIZES(&object.c[1].y)
    SIZES(&object.d)
    SIZES(&objects[1])
    SIZES(&objects[1].c[2].x)
    SIZES(objects[2].b)
    SIZES(both.small)
    SIZES(&both.small[1])
    SIZES(both.large)
    SIZES("hello")
    SIZES(&local)
    SIZES((void *)buffer)
    SIZES(pointer)
    SIZES(pointer++)
    SIZES(&buffer[evaluated++])
    SIZES(other)
    SIZES((char *)0)
    DYNAMIC(object.b)
    DYNAMIC(&objects[3])
    report(__builtin_object_size(buffer + 3, 0));
    report(__builtin_object_size((char *)&object + 4, 2));
    report(evaluated);
    report(pointer == buffer);
}

/* As in the headers of the C library: a wrapper with the name of the function itself. */
extern __inline __attribute__((gnu_inline, always_inline)) void *memcpy(void *to, const void *from, size_t size) {
    return __builtin___memcpy_chk(to, from, size, __builtin_object_size(to, 0));
}

static void copies(void) {
    char text[12];
    int numbers[4] = {1, 2, 3, 4}, more[4];
    __builtin___memset_chk(text, 'x', sizeof text, __builtin_object_size(text, 0));
    report(text[11]);
    memcpy(more, numbers, sizeof more);
    report(more[3]);
    __builtin___memmove_chk(more + 1, more, 3 * sizeof(int), sizeof more - sizeof(int));
    report(more[3] * 10 + more[1]);
    char *from = (char *)numbers;
    report(*(int *)__builtin___memcpy_chk(text, from + 4, 4, (size_t)-1));
}

int main(void) {
    int number;
    /* Optimisers shall not find out where these point. */
    char *volatile pointer = buffer;
    int *volatile other = &number;
    sizes(pointer, other);
    copies();
    report(__builtin_constant_p(3 + 4));
    report(__builtin_constant_p("text"));
    report(__builtin_constant_p(buffer));
    int values[2] = {7, 8};
    __builtin_prefetch(values);
    __builtin_prefetch(&values[1], 0, 3);
    int *aligned = __builtin_assume_aligned(values, 4);
    report(aligned[1]);
    return 0;
}
