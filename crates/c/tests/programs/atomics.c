/* Atomic builtins, in one thread. */
void report(unsigned long long value);

typedef unsigned char u8;
typedef unsigned long long u64;

static int counter = 5;
static int order_calls;

static int *where(void) {
    order_calls++;
    return &counter;
}

#define OPERATIONS(T, START, VALUE)                                        \
    {                                                                      \
        T x = START, *p = &x, expected;                                    \
        report((u64)__sync_fetch_and_add(&x, VALUE));                      \
        report((u64)__sync_sub_and_fetch(p, 3));                           \
        report((u64)__sync_fetch_and_or(p, VALUE));                        \
        report((u64)__sync_and_and_fetch(&x, ~(T)9));                      \
        report((u64)__sync_xor_and_fetch(&x, VALUE));                      \
        report((u64)__atomic_fetch_add(p, VALUE, 5));                      \
        report((u64)__atomic_sub_fetch(&x, VALUE, 0));                     \
        report((u64)__atomic_fetch_xor(p, 85, 5));                         \
        report((u64)__atomic_or_fetch(p, 1, 5));                           \
        report((u64)__atomic_load_n(p, 5));                                \
        __atomic_store_n(&x, VALUE, 5);                                    \
        report((u64)__atomic_exchange_n(p, START, 5));                     \
        report((u64)__sync_lock_test_and_set(&x, 7));                      \
        report(__sync_bool_compare_and_swap(p, 7, VALUE));                 \
        report(__sync_bool_compare_and_swap(p, 6, START));                 \
        report((u64)__sync_val_compare_and_swap(&x, x, 11));               \
        report((u64)__sync_val_compare_and_swap(&x, 10, 12));              \
        expected = 10;                                                     \
        report(__atomic_compare_exchange_n(p, &expected, 20, 0, 5, 5));    \
        report((u64)expected);                                             \
        report(__atomic_compare_exchange_n(&x, &expected, 21, 1, 5, 5));   \
        report((u64)expected);                                             \
        report((u64)x);                                                    \
        T desired = 33, got = 0;                                           \
        __atomic_exchange(p, &desired, &got, 5);                           \
        report((u64)got * 100 + x);                                        \
        report(__atomic_compare_exchange(p, &desired, &got, 0, 5, 5));     \
        __atomic_load(&x, &expected, 5);                                   \
        __atomic_store(p, &desired, 5);                                    \
        report((u64)expected * 1000 + x);                                  \
        __sync_lock_release(p);                                            \
        report((u64)x);                                                    \
    }

int main(void) {
    OPERATIONS(int, 2147483646, 12345)
    OPERATIONS(unsigned, 4000000000u, 4000000001u)
    OPERATIONS(long long, -5, 0x7fffffffffffffff)
    OPERATIONS(long, -70000, 1000)
    OPERATIONS(u8, 250, 77)
    OPERATIONS(short, -32768, 12)
    OPERATIONS(signed char, 127, -8)
    report(__sync_add_and_fetch(where(), 3));
    report(__sync_bool_compare_and_swap(where(), counter, counter + 1));
    report(counter * 10 + order_calls);
    int values[4] = {1, 2, 3, 4};
    int *p = values;
    int *old = __sync_fetch_and_add(&p, sizeof(int));
    report(old == values);
    report(*p);
    old = __atomic_exchange_n(&p, values + 3, 5);
    report(*old * 10 + *p);
    report(__sync_bool_compare_and_swap(&p, values + 3, (int *)0));
    report(p == 0);
    struct { char c; int *link; int n; } node = {1, values, 2};
    report(*__atomic_load_n(&node.link, 2));
    __atomic_add_fetch(&node.n, 40, 5);
    report(node.n);
    __sync_synchronize();
    __atomic_thread_fence(5);
    return 0;
}
