// Compares the models with the C library on many inputs. Prints each difference; the result is their number.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

int differences;
long comparisons;

// In outside.c: functions whose results depend on the world outside.
void outside(void);

void same(const char *what, const char *a, const char *b, long n, long long real, long long model) {
    comparisons++;
    if (real != model && differences++ < 20)
        printf("%s(\"%s\", \"%s\", %ld): library %lld, model %lld\n", what, a, b, n, real, model);
}

static int sign(long long value) {
    return (value > 0) - (value < 0);
}

// The declarations of the models, by those of the library.
#define MODEL(name) extern __typeof__(name) __aster_##name;
MODEL(strlen) MODEL(strnlen) MODEL(strcpy) MODEL(stpcpy) MODEL(strncpy) MODEL(stpncpy) MODEL(strcat) MODEL(strncat)
MODEL(strcmp) MODEL(strncmp) MODEL(strcoll) MODEL(strcasecmp) MODEL(strncasecmp) MODEL(strchr) MODEL(strchrnul)
MODEL(strrchr) MODEL(index) MODEL(rindex) MODEL(strstr) MODEL(strspn) MODEL(strcspn) MODEL(strpbrk) MODEL(strdup)
MODEL(strndup) MODEL(memcmp) MODEL(bcmp) MODEL(memchr) MODEL(mempcpy) MODEL(bzero)
MODEL(memrchr) MODEL(rawmemchr) MODEL(strtok_r) MODEL(strtok) MODEL(strsep)
MODEL(isupper) MODEL(islower) MODEL(isalpha) MODEL(isdigit) MODEL(isxdigit) MODEL(isspace) MODEL(isprint)
MODEL(isgraph) MODEL(isblank) MODEL(iscntrl) MODEL(ispunct) MODEL(isalnum) MODEL(isascii) MODEL(toascii)
MODEL(__ctype_b_loc)
MODEL(strtol) MODEL(strtoll) MODEL(strtoul) MODEL(strtoull) MODEL(atoi) MODEL(atol) MODEL(atoll) MODEL(imaxabs)
MODEL(htonl) MODEL(ntohl) MODEL(htons) MODEL(ntohs) MODEL(bsearch) MODEL(qsort)
extern int *__aster___errno_location(void);

// A value that says where a pointer points in a text; -1 for null.
#define PLACE(pointer, text) ((pointer) == 0 ? -1ll : (long long)((const char *)(pointer) - (const char *)(text)))

// Runs an expression on two equal buffers, once with the library and once with the model; compares results
// and buffers.
#define ON_BUFFERS(name, a, b, n, prepare, ...)                                            \
    do {                                                                                   \
        char first[64], second[64];                                                        \
        memset(first, 'z', sizeof first);                                                  \
        memset(second, 'z', sizeof second);                                                \
        char *to = first;                                                                  \
        prepare;                                                                           \
        long long real = PLACE(name(__VA_ARGS__), to);                                     \
        to = second;                                                                       \
        prepare;                                                                           \
        long long model = PLACE(__aster_##name(__VA_ARGS__), to);                          \
        same(#name, a, b, n, real, model);                                                 \
        same(#name " (buffer)", a, b, n, 0, memcmp(first, second, sizeof first));          \
    } while (0)

#define NUMBER(name, a, b, n, ...) same(#name, a, b, n, (long long)name(__VA_ARGS__), (long long)__aster_##name(__VA_ARGS__))
#define SIGN(name, a, b, n, ...) same(#name, a, b, n, sign(name(__VA_ARGS__)), sign(__aster_##name(__VA_ARGS__)))
#define POINTER(name, a, b, n, ...) same(#name, a, b, n, PLACE(name(__VA_ARGS__), a), PLACE(__aster_##name(__VA_ARGS__), a))

static void one_text(const char *a) {
    NUMBER(strlen, a, "", 0, a);
    for (long n = 0; n <= 5; n++) {
        NUMBER(strnlen, a, "", n, a, n);
        char *real = strndup(a, n), *model = __aster_strndup(a, n);
        same("strndup", a, "", n, 0, strcmp(real, model));
        free(real);
        free(model);
    }
    char *model = __aster_strdup(a);
    same("strdup", a, "", 0, 0, strcmp(a, model));
    free(model);
    static const int wanted[] = {0, 'a', 'B', 0xe9, 'a' + 256, -23};
    for (unsigned i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        int c = wanted[i];
        POINTER(strchr, a, "", c, a, c);
        POINTER(strchrnul, a, "", c, a, c);
        POINTER(strrchr, a, "", c, a, c);
        POINTER(index, a, "", c, a, c);
        POINTER(rindex, a, "", c, a, c);
        for (unsigned long n = 0; n <= strlen(a) + 1; n++) {
            POINTER(memchr, a, "", n, a, c, n);
            POINTER(memrchr, a, "", n, a, c, n);
        }
        if (memchr(a, c, strlen(a) + 1))
            POINTER(rawmemchr, a, "", c, a, c);
    }
}

static void tokens(const char *a, const char *b) {
    char first[16], second[16];
    char *first_rest = strcpy(first, a), *second_rest = strcpy(second, a);
    for (int i = 0; i < 6; i++) {
        char *real = strsep(&first_rest, b);
        char *model = __aster_strsep(&second_rest, b);
        same("strsep", a, b, i, PLACE(real, first), PLACE(model, second));
    }
    strcpy(first, a);
    strcpy(second, a);
    for (int i = 0; i < 6; i++) {
        char *real = strtok(i ? 0 : first, b);
        char *model = __aster_strtok(i ? 0 : second, b);
        same("strtok", a, b, i, PLACE(real, first), PLACE(model, second));
        same("strtok (buffer)", a, b, i, 0, memcmp(first, second, strlen(a) + 1));
    }
    strcpy(first, a);
    strcpy(second, a);
    for (int i = 0; i < 6; i++) {
        char *real = strtok_r(i ? 0 : first, b, &first_rest);
        char *model = __aster_strtok_r(i ? 0 : second, b, &second_rest);
        same("strtok_r", a, b, i, PLACE(real, first), PLACE(model, second));
        same("strtok_r (state)", a, b, i, PLACE(first_rest, first), PLACE(second_rest, second));
    }
}

static void two_texts(const char *a, const char *b) {
    SIGN(strcmp, a, b, 0, a, b);
    SIGN(strcoll, a, b, 0, a, b);
    SIGN(strcasecmp, a, b, 0, a, b);
    POINTER(strstr, a, b, 0, a, b);
    POINTER(strpbrk, a, b, 0, a, b);
    NUMBER(strspn, a, b, 0, a, b);
    NUMBER(strcspn, a, b, 0, a, b);
    ON_BUFFERS(strcpy, a, b, 0, (void)0, to, b);
    ON_BUFFERS(stpcpy, a, b, 0, (void)0, to, b);
    ON_BUFFERS(strcat, a, b, 0, strcpy(to, a), to, b);
    for (long n = 0; n <= 5; n++) {
        SIGN(strncmp, a, b, n, a, b, n);
        SIGN(strncasecmp, a, b, n, a, b, n);
        ON_BUFFERS(strncpy, a, b, n, (void)0, to, b, n);
        ON_BUFFERS(stpncpy, a, b, n, (void)0, to, b, n);
        ON_BUFFERS(strncat, a, b, n, strcpy(to, a), to, b, n);
    }
    unsigned long shorter = strlen(a) < strlen(b) ? strlen(a) : strlen(b);
    for (unsigned long n = 0; n <= shorter + 1; n++) {
        SIGN(memcmp, a, b, n, a, b, n);
        same("bcmp", a, b, n, bcmp(a, b, n) != 0, __aster_bcmp(a, b, n) != 0);
        ON_BUFFERS(mempcpy, a, b, n, (void)0, to, b, n);
    }
    tokens(a, b);
}

static void characters(void) {
    for (int c = -1; c < 256; c++) {
        // In parentheses: the functions, not the macros.
#define CLASS(name) same(#name, "", "", c, (name)(c), __aster_##name(c));
        CLASS(isupper) CLASS(islower) CLASS(isalpha) CLASS(isdigit) CLASS(isxdigit) CLASS(isspace) CLASS(isprint)
        CLASS(isgraph) CLASS(isblank) CLASS(iscntrl) CLASS(ispunct) CLASS(isalnum) CLASS(isascii) CLASS(toascii)
    }
    for (int c = -128; c < 256; c++)
        same("__ctype_b_loc", "", "", c, (*__ctype_b_loc())[c], (*__aster___ctype_b_loc())[c]);
}

#define CONVERSION(name, text, base)                                                  \
    do {                                                                              \
        char *real_end, *model_end;                                                   \
        errno = *__aster___errno_location() = 0;                                      \
        long long real = (long long)name(text, &real_end, base);                      \
        long long model = (long long)__aster_##name(text, &model_end, base);          \
        same(#name, text, "", base, real, model);                                     \
        same(#name " (end)", text, "", base, real_end - text, model_end - text);      \
        same(#name " (errno)", text, "", base, errno, *__aster___errno_location());   \
        same(#name " (no end)", text, "", base, real, (long long)__aster_##name(text, 0, base)); \
    } while (0)

static void numbers(const char *text) {
    static const int bases[] = {0, 2, 8, 10, 16, 36};
    for (unsigned i = 0; i < sizeof bases / sizeof *bases; i++) {
        CONVERSION(strtol, text, bases[i]);
        CONVERSION(strtoll, text, bases[i]);
        CONVERSION(strtoul, text, bases[i]);
        CONVERSION(strtoull, text, bases[i]);
    }
    NUMBER(atoi, text, "", 0, text);
    NUMBER(atol, text, "", 0, text);
    NUMBER(atoll, text, "", 0, text);
}

static int by_first(const void *a, const void *b) {
    return *(const unsigned char *)a - *(const unsigned char *)b;
}

// No two elements are equal, so that every way of sorting gives the same.
static int by_first_and_last(const void *a, const void *b) {
    int first = by_first(a, b);
    return first ? first : ((const unsigned char *)a)[2] - ((const unsigned char *)b)[2];
}

static void sorting(void) {
    unsigned state = 1;
    for (int round = 0; round < 300; round++) {
        unsigned char first[12][3], second[12][3];
        unsigned count = round % 13;
        for (unsigned i = 0; i < count; i++) {
            state = state * 1103515245 + 12345;
            first[i][0] = state >> 16 & 7;
            first[i][1] = first[i][2] = i;
        }
        memcpy(second, first, sizeof first);
        qsort(first, count, 3, by_first_and_last);
        __aster_qsort(second, count, 3, by_first_and_last);
        same("qsort", "", "", count, 0, memcmp(first, second, count * 3));
        for (unsigned char key = 0; key < 9; key++)
            same("bsearch", "", "", key, PLACE(bsearch(&key, first, count, 3, by_first), first),
                 PLACE(__aster_bsearch(&key, first, count, 3, by_first), first));
    }
}

int main(void) {
    static const char alphabet[] = {'a', 'A', 'b', '\xe9'};
    static char texts[1 + 4 + 16 + 64][4];
    int count = 0;
    for (int length = 0; length <= 3; length++)
        for (int code = 0; code < 1 << 2 * length; code++, count++)
            for (int i = 0; i < length; i++)
                texts[count][i] = alphabet[code >> 2 * i & 3];
    for (int i = 0; i < count; i++) {
        one_text(texts[i]);
        for (int j = 0; j < count; j++)
            two_texts(texts[i], texts[j]);
    }
    characters();
    static const char *written[] = {
        "", " ", "-", "+-1", "0", "-0", "7", "08", "012", "0x", "0x1f", "0X1G", "-0xff", "+0x7fffffff", "12ab", "zz",
        "\t\n 42 ", "  -17x", "2147483647", "2147483648", "-2147483648", "-2147483649", "4294967295", "4294967296",
        "-4294967295", "9223372036854775807", "9223372036854775808", "-9223372036854775808", "-9223372036854775809",
        "18446744073709551615", "18446744073709551616", "99999999999999999999999999", "-99999999999999999999999",
        "0xffffffffffffffff", "0x10000000000000000", "1\xe9", "1:2"};
    for (unsigned i = 0; i < sizeof written / sizeof *written; i++)
        numbers(written[i]);
    for (int i = -300; i < 300; i++) {
        unsigned value = i * 7654321u;
        same("htonl", "", "", i, htonl(value), __aster_htonl(value));
        same("ntohl", "", "", i, ntohl(value), __aster_ntohl(value));
        same("htons", "", "", i, htons(value), __aster_htons(value));
        same("ntohs", "", "", i, ntohs(value), __aster_ntohs(value));
        same("imaxabs", "", "", i, imaxabs(i * 1234567890123ll), __aster_imaxabs(i * 1234567890123ll));
    }
    char zeroed[4] = "abc";
    __aster_bzero(zeroed, 2);
    same("bzero", "", "", 2, 0, memcmp(zeroed, "\0\0c", 4));
    sorting();
    outside();
    printf("%ld comparisons, %d differences\n", comparisons, differences);
    return differences != 0;
}
