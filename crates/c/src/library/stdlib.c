// <stdlib.h>, <errno.h>, <arpa/inet.h>.

int *__aster___errno_location(void) {
    static int error;
    return &error;
}

// The value of a digit in bases up to 36; 36 for what is no digit.
unsigned int __asterlib_digit(char c) {
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'Z')
        return c - 'A' + 10;
    return 36;
}

// The number at the start of a text: its magnitude, saturated; 1 in `overflow` if it is greater than that.
unsigned long long __asterlib_number(const char *s, char **end, int base, int *negative, int *overflow) {
    unsigned long long value = 0;
    *negative = 0;
    *overflow = 0;
    if (end != 0)
        *end = (char *)s;
    if (base < 0 || base == 1 || base > 36) {
        *__aster___errno_location() = 22;
        return 0;
    }
    while (*s == ' ' || (*s >= '\t' && *s <= '\r'))
        s++;
    if (*s == '-' || *s == '+') {
        *negative = *s == '-';
        s++;
    }
    if ((base == 0 || base == 16) && s[0] == '0' && (s[1] == 'x' || s[1] == 'X') && __asterlib_digit(s[2]) < 16) {
        s += 2;
        base = 16;
    }
    if (base == 0)
        base = *s == '0' ? 8 : 10;
    const char *start = s;
    unsigned int digit = __asterlib_digit(*s);
    while (digit < (unsigned int)base) {
        if (value > (0xffffffffffffffffull - digit) / base) {
            value = 0xffffffffffffffffull;
            *overflow = 1;
        } else {
            value = value * base + digit;
        }
        s++;
        digit = __asterlib_digit(*s);
    }
    if (end != 0 && s != start)
        *end = (char *)s;
    return value;
}

// `magnitude` with its sign, if `most` is the greatest number of a type; otherwise its nearest number.
long long __asterlib_signed_number(unsigned long long magnitude, int negative, int overflow, long long most) {
    unsigned long long limit = (unsigned long long)most + (negative ? 1 : 0);
    if (overflow || magnitude > limit) {
        *__aster___errno_location() = 34;
        magnitude = limit;
    }
    return (long long)(negative ? 0 - magnitude : magnitude);
}

long __aster_strtol(const char *s, char **end, int base) {
    int negative;
    int overflow;
    unsigned long long magnitude = __asterlib_number(s, end, base, &negative, &overflow);
    return __asterlib_signed_number(magnitude, negative, overflow, (long)(~0ul >> 1));
}

long long __aster_strtoll(const char *s, char **end, int base) {
    int negative;
    int overflow;
    unsigned long long magnitude = __asterlib_number(s, end, base, &negative, &overflow);
    return __asterlib_signed_number(magnitude, negative, overflow, 0x7fffffffffffffffll);
}

unsigned long __aster_strtoul(const char *s, char **end, int base) {
    int negative;
    int overflow;
    unsigned long long magnitude = __asterlib_number(s, end, base, &negative, &overflow);
    if (overflow || magnitude > ~0ul) {
        *__aster___errno_location() = 34;
        return ~0ul;
    }
    return negative ? 0 - (unsigned long)magnitude : (unsigned long)magnitude;
}

unsigned long long __aster_strtoull(const char *s, char **end, int base) {
    int negative;
    int overflow;
    unsigned long long magnitude = __asterlib_number(s, end, base, &negative, &overflow);
    if (overflow)
        *__aster___errno_location() = 34;
    return overflow || !negative ? magnitude : 0 - magnitude;
}

int __aster_atoi(const char *s) {
    return (int)__aster_strtol(s, 0, 10);
}

long __aster_atol(const char *s) {
    return __aster_strtol(s, 0, 10);
}

long long __aster_atoll(const char *s) {
    return __aster_strtoll(s, 0, 10);
}

long long __aster_imaxabs(long long value) {
    return value < 0 ? -value : value;
}

unsigned int __aster_htonl(unsigned int value) {
    return value << 24 | (value & 0xff00) << 8 | (value >> 8 & 0xff00) | value >> 24;
}

unsigned int __aster_ntohl(unsigned int value) {
    return __aster_htonl(value);
}

unsigned short __aster_htons(unsigned short value) {
    return (unsigned short)(value << 8 | value >> 8);
}

unsigned short __aster_ntohs(unsigned short value) {
    return __aster_htons(value);
}

void *__aster_bsearch(const void *key, const void *base, __aster_size count, __aster_size size,
                      int (*compare)(const void *, const void *)) {
    __aster_size low = 0;
    __aster_size high = count;
    while (low < high) {
        __aster_size middle = (low + high) / 2;
        const char *element = (const char *)base + middle * size;
        int order = compare(key, element);
        if (order == 0)
            return (void *)element;
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return 0;
}

// Elements that compare equal keep their order.
void __aster_qsort(void *base, __aster_size count, __aster_size size, int (*compare)(const void *, const void *)) {
    for (__aster_size sorted = 1; sorted < count; sorted++) {
        char *element = (char *)base + sorted * size;
        while (element != (char *)base && compare(element - size, element) > 0) {
            for (__aster_size i = 0; i < size; i++) {
                char byte = element[i];
                element[i] = element[i - size];
                element[i - size] = byte;
            }
            element -= size;
        }
    }
}

// Memory is aligned to a page by itself. Other alignments than powers of two are an error in newer versions of glibc only.
void *__asterlib_aligned(__aster_size alignment, __aster_size size) {
    if (alignment == 0 || (alignment & (alignment - 1)) != 0 || alignment > 4096)
        __builtin_aster_unmodelled();
    return __builtin_malloc(size);
}

void *__aster_aligned_alloc(__aster_size alignment, __aster_size size) {
    return __asterlib_aligned(alignment, size);
}

void *__aster_memalign(__aster_size alignment, __aster_size size) {
    return __asterlib_aligned(alignment, size);
}

int __aster_posix_memalign(void **where, __aster_size alignment, __aster_size size) {
    if (alignment % sizeof(void *) != 0 || (alignment & (alignment - 1)) != 0 || alignment == 0)
        return 22;
    void *memory = __asterlib_aligned(alignment, size);
    if (memory == 0)
        return 12;
    *where = memory;
    return 0;
}

void *__aster_reallocarray(void *old, __aster_size count, __aster_size size) {
    if (size != 0 && count > (__aster_size)-1 / size) {
        *__aster___errno_location() = 12;
        return 0;
    }
    return __builtin_realloc(old, count * size);
}

// The text depends on the number; it is no longer than the longest of glibc's.
char *__aster_strerror(int number) {
    static char text[64];
    __asterlib_rough_text(text, 1, number == 0 ? 64 : 63);
    return text;
}

// Any number, and any place where it may end.
double __aster_strtod(const char *s, char **end) {
    __aster_size length = __aster_strlen(s);
    __aster_size read = (__aster_size)__builtin_aster_rough_long();
    __builtin_aster_assume(read <= length);
    if (end != 0)
        *end = (char *)s + read;
    return __builtin_aster_unknown();
}

double __aster_atof(const char *s) {
    return __aster_strtod(s, 0);
}
