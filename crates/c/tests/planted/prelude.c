typedef __SIZE_TYPE__ size_t;
extern void *malloc(size_t size);
extern void *calloc(size_t count, size_t size);
extern void *realloc(void *memory, size_t size);
extern void free(void *memory);
extern void *memset(void *memory, int value, size_t size);
extern void *memcpy(void *target, const void *source, size_t size);
extern void *memmove(void *target, const void *source, size_t size);
extern int memcmp(const void *left, const void *right, size_t size);
extern void *memchr(const void *memory, int value, size_t size);
extern size_t strlen(const char *text);
extern size_t strnlen(const char *text, size_t size);
extern char *strcpy(char *target, const char *source);
extern char *strncpy(char *target, const char *source, size_t size);
extern char *strcat(char *target, const char *source);
extern char *strncat(char *target, const char *source, size_t size);
extern int strcmp(const char *left, const char *right);
extern int strncmp(const char *left, const char *right, size_t size);
extern char *strchr(const char *text, int character);
extern char *strrchr(const char *text, int character);
extern char *strstr(const char *text, const char *part);
extern char *strdup(const char *text);
extern int atoi(const char *text);
extern int puts(const char *text);
extern int printf(const char *format, ...);

struct node {
    int value;
    struct node *next;
};
struct record {
    int number;
    char name[6];
    short *values;
    long long total;
};

static unsigned long long sink;
static int one = 1;
static void *keeper;

static void *aligned_zeros(size_t size)
{
    char *memory = malloc(size);
    for (size_t k = 0; k < size; k++)
        memory[k] = 0;
    return memory;
}
static char get_char(const char *p, long k)
{
    return p[k];
}
static unsigned char get_unsigned_char(const unsigned char *p, long k)
{
    return p[k];
}
static short get_short(const short *p, long k)
{
    return p[k];
}
static int get_int(const int *p, long k)
{
    return p[k];
}
static long long get_long_long(const long long *p, long k)
{
    return p[k];
}
static void put_char(char *p, long k, int value)
{
    p[k] = value;
}
static void put_unsigned_char(unsigned char *p, long k, int value)
{
    p[k] = value;
}
static void put_short(short *p, long k, int value)
{
    p[k] = value;
}
static void put_int(int *p, long k, int value)
{
    p[k] = value;
}
static void put_long_long(long long *p, long k, int value)
{
    p[k] = value;
}
static int *stack_address(void)
{
    int local = 3;
    int *address = &local;
    return address;
}
static struct node *build(int length)
{
    struct node *head = 0;
    for (int k = 0; k < length; k++) {
        struct node *n = malloc(sizeof *n);
        n->value = k;
        n->next = head;
        head = n;
    }
    return head;
}
static struct node *unlink_first(struct node *head)
{
    struct node *next = head->next;
    free(head);
    return next;
}
static struct node *cut(struct node *head, int length)
{
    for (int k = 0; k < length; k++) {
        struct node *next = head->next;
        free(head);
        head = next;
    }
    return head;
}
