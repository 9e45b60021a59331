/*
 * A runtime for 32-bit x86 Linux without any library, as few systems have the 32-bit ones installed:
 * entry, output, memory, and the 64-bit divisions that the compiler calls.
 */
typedef unsigned long long u64;
typedef long long s64;

int main(void);

static void system_call(int number, int first, const void *second, int third) {
    int result;
    __asm__ volatile("int $0x80" : "=a"(result) : "a"(number), "b"(first), "c"(second), "d"(third) : "memory");
}

static u64 divide(u64 dividend, u64 divisor, u64 *remainder) {
    u64 quotient = 0, rest = 0;
    for (int bit = 63; bit >= 0; bit--) {
        _Bool carry = rest >> 63;
        rest = rest << 1 | (dividend >> bit & 1);
        if (carry || rest >= divisor) {
            rest -= divisor;
            quotient |= 1ULL << bit;
        }
    }
    *remainder = rest;
    return quotient;
}

u64 __udivdi3(u64 a, u64 b) {
    u64 remainder;
    return divide(a, b, &remainder);
}

u64 __umoddi3(u64 a, u64 b) {
    u64 remainder;
    divide(a, b, &remainder);
    return remainder;
}

u64 __udivmoddi4(u64 a, u64 b, u64 *remainder) {
    return divide(a, b, remainder);
}

static u64 magnitude(s64 value) {
    return value < 0 ? -(u64)value : (u64)value;
}

s64 __divdi3(s64 a, s64 b) {
    u64 remainder, quotient = divide(magnitude(a), magnitude(b), &remainder);
    return (s64)((a < 0) != (b < 0) ? -quotient : quotient);
}

s64 __moddi3(s64 a, s64 b) {
    u64 remainder;
    divide(magnitude(a), magnitude(b), &remainder);
    return (s64)(a < 0 ? -remainder : remainder);
}

s64 __divmoddi4(s64 a, s64 b, s64 *remainder) {
    *remainder = __moddi3(a, b);
    return __divdi3(a, b);
}

void *memcpy(void *target, const void *source, unsigned length) {
    for (unsigned i = 0; i < length; i++) {
        ((char *)target)[i] = ((const char *)source)[i];
    }
    return target;
}

void *memmove(void *target, const void *source, unsigned length) {
    if ((char *)target <= (const char *)source) {
        return memcpy(target, source, length);
    }
    while (length-- > 0) {
        ((char *)target)[length] = ((const char *)source)[length];
    }
    return target;
}

void *memset(void *target, int byte, unsigned length) {
    for (unsigned i = 0; i < length; i++) {
        ((char *)target)[i] = (char)byte;
    }
    return target;
}

void *__memcpy_chk(void *target, const void *source, unsigned length, unsigned size) {
    return memcpy(target, source, length);
}

void *__memmove_chk(void *target, const void *source, unsigned length, unsigned size) {
    return memmove(target, source, length);
}

void *__memset_chk(void *target, int byte, unsigned length, unsigned size) {
    return memset(target, byte, length);
}

/* Nothing is used twice; the size is in front of what is given. */
static char heap[1 << 20];
static unsigned taken;

void *malloc(unsigned size) {
    char *start = heap + taken;
    *(unsigned *)start = size;
    taken += (size + 31) & ~15u;
    return start + 16;
}

void *calloc(unsigned count, unsigned size) {
    return memset(malloc(count * size), 0, count * size);
}

void free(void *pointer) {
}

void *realloc(void *old, unsigned size) {
    void *new = malloc(size);
    if (old) {
        unsigned present = *(unsigned *)((char *)old - 16);
        memcpy(new, old, size < present ? size : present);
    }
    return new;
}

void report(u64 value) {
    char text[24];
    int at = 24;
    text[--at] = '\n';
    do {
        u64 digit;
        value = divide(value, 10, &digit);
        text[--at] = (char)('0' + (int)digit);
    } while (value);
    system_call(4, 1, text + at, 24 - at);
}

void _start(void) {
    main();
    system_call(1, 0, 0, 0);
    for (;;) {
    }
}
