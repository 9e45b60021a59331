// Functions whose results depend on the world outside. The models are given what the real functions gave as the values that
// they leave open, in the order in which they ask: then they must give the same, and nothing that they take for sure may be wrong.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>

void same(const char *what, const char *a, const char *b, long n, long long real, long long model);

static const char *at_hand = "";
static long values[4096];
static int given, asked;

static void begin(const char *name) {
    at_hand = name;
    given = asked = 0;
}

static void give(long value) {
    values[given++] = value;
}

static void give_text(const char *text, int count) {
    int length = strlen(text);
    for (int i = 0; i < count; i++)
        give(i < length ? text[i] : 0);
}

// All values were asked for.
static void end(void) {
    same("values", at_hand, "", 0, given, asked);
}

static long next(void) {
    return asked < given ? values[asked++] : (same("values", at_hand, "", asked, 0, 1), 0);
}

int __builtin_aster_any_int(void) { return next(); }
unsigned char __builtin_aster_any_char(void) { return next(); }
long __builtin_aster_any_long(void) { return next(); }
long __builtin_aster_result_long(void) { return next(); }
int __builtin_aster_rough_int(void) { return next(); }
unsigned char __builtin_aster_rough_char(void) { return next(); }
long __builtin_aster_rough_long(void) { return next(); }
double __builtin_aster_unknown(void) { return next() / 8.0; }
void __builtin_aster_assume(int holds) { same("assumption", at_hand, "", 0, 1, holds != 0); }
void __builtin_aster_undefined(void) { same("defined", at_hand, "", 0, 1, 0); }
void __builtin_aster_unmodelled(void) { same("modelled", at_hand, "", 0, 1, 0); }
int __builtin_fgetc(void *stream) { return fgetc(stream); }

#define MODEL(name) extern __typeof__(name) __aster_##name;
MODEL(time) MODEL(difftime) MODEL(gmtime) MODEL(localtime) MODEL(gmtime_r) MODEL(localtime_r) MODEL(mktime)
MODEL(asctime) MODEL(ctime) MODEL(strftime) MODEL(strerror) MODEL(posix_memalign) MODEL(aligned_alloc) MODEL(memalign)
MODEL(reallocarray) MODEL(fgets) MODEL(fread) MODEL(read) MODEL(atof) MODEL(strtod)
MODEL(wcslen) MODEL(wcsnlen) MODEL(wcscpy) MODEL(wcsncpy) MODEL(wcscat) MODEL(wcsncat) MODEL(wcscmp) MODEL(wcsncmp)
MODEL(wcschr) MODEL(wcsrchr) MODEL(wcsstr) MODEL(wcsdup) MODEL(wmemset) MODEL(wmemcpy) MODEL(wmemmove) MODEL(wmemcmp)
MODEL(wmemchr)
extern int *__aster___errno_location(void);

static void give_fields(const struct tm *tm) {
    int fields[] = {tm->tm_sec, tm->tm_min, tm->tm_hour, tm->tm_mday, tm->tm_mon, tm->tm_year, tm->tm_wday, tm->tm_yday};
    for (int i = 0; i < 8; i++)
        give(fields[i]);
}

static void give_local(const struct tm *tm) {
    give_fields(tm);
    give(tm->tm_isdst);
    give(tm->tm_gmtoff);
}

static int differ(const struct tm *a, const struct tm *b) {
    return a == 0 || b == 0 ? a != b : memcmp(a, b, offsetof(struct tm, tm_zone)) != 0;
}

static void calendar(time_t t) {
    struct tm real, model, *found = gmtime(&t);
    begin("gmtime");
    memset(&real, 0, sizeof real);
    memset(&model, 0, sizeof model);
    if (found) {
        real = *found;
        if (t > 60000000000000000 || t < -60000000000000000)
            give(1);
        give_fields(&real);
    } else {
        give(0);
    }
    struct tm *mine = __aster_gmtime(&t);
    same("gmtime", "", "", t, 0, found ? differ(&real, mine) : mine != 0);
    end();
    if (!found)
        return;
    begin("localtime_r");
    struct tm *local = localtime_r(&t, &real);
    if (t > 60000000000000000 || t < -60000000000000000)
        give(1);
    give_local(local);
    same("localtime_r", "", "", t, 0, differ(local, __aster_localtime_r(&t, &model)));
    end();
    begin("asctime");
    char text[64];
    char *shown = asctime(&real);
    int is_far = real.tm_year < -2899 || real.tm_year > 8099;
    if (is_far)
        give(shown != 0);
    if (shown)
        give_text(strcpy(text, shown), 63);
    char *other = __aster_asctime(&real);
    same("asctime", "", "", t, 0, shown ? other == 0 || strcmp(text, other) : other != 0);
    end();
    static const char *formats[] = {"", "%d", "%Y-%m-%d %H:%M:%S", "%A %B"};
    for (int i = 0; i < 4; i++)
        for (int size = 1; size < 40; size += 6) {
            char first[40] = "", second[40] = "";
            size_t length = strftime(first, size, formats[i], &real);
            int fits = length != 0 || i == 0;
            begin("strftime");
            give(fits ? (long)length : size);
            for (int j = 0; j < (fits ? (int)length : size); j++)
                give(first[j]);
            same("strftime", formats[i], "", size, length, __aster_strftime(second, size, formats[i], &real));
            same("strftime (text)", formats[i], "", size, 0, fits && strcmp(first, second));
            end();
        }
    real.tm_mday += 40;
    model = real;
    begin("mktime");
    errno = 0;
    time_t made = mktime(&real);
    give(made);
    if (made == -1)
        give(errno == 0);
    if (errno == 0)
        give_local(&real);
    same("mktime", "", "", t, made, __aster_mktime(&model));
    same("mktime (fields)", "", "", t, 0, differ(&real, &model));
    end();
}

static void clocks(void) {
    time_t stored = -7, other = -7, now = time(&stored);
    begin("time");
    give(now);
    same("time", "", "", 0, now, __aster_time(&other));
    same("time (stored)", "", "", 0, stored, other);
    end();
    static const long long times[] = {0, 1, -1, 951782400, 1700000000, 2147483647, -2147483648ll, 4102444800ll,
                                      253402300800ll, 60000000000000000ll, 67768036191676799ll, 67768036191676800ll,
                                      9007199254740993ll, 9223372036854775807ll, -9223372036854775807ll};
    for (unsigned i = 0; i < sizeof times / sizeof *times; i++) {
        time_t a = (time_t)times[i];
        if (a != times[i])
            continue;
        calendar(a);
        for (unsigned j = 0; j < sizeof times / sizeof *times; j++) {
            double real = difftime(a, (time_t)times[j]), model = __aster_difftime(a, (time_t)times[j]);
            same("difftime", "", "", i, 0, memcmp(&real, &model, sizeof real));
        }
    }
}

static void errors(void) {
    for (int number = -2; number < 140; number++) {
        char text[64];
        strcpy(text, strerror(number));
        begin("strerror");
        give_text(text, number == 0 ? 63 : 62);
        same("strerror", text, "", number, 0, strcmp(text, __aster_strerror(number)));
        end();
    }
}

static void allocations(void) {
    begin("allocations");
    for (size_t alignment = 0; alignment <= 4096; alignment = alignment ? 2 * alignment : 1) {
        void *real = 0, *model = 0;
        same("posix_memalign", "", "", alignment, posix_memalign(&real, alignment, 24),
             __aster_posix_memalign(&model, alignment, 24));
        same("posix_memalign (memory)", "", "", alignment, real != 0, model != 0);
        free(real);
        free(model);
    }
    same("posix_memalign", "", "", 24, posix_memalign(&(void *){0}, 24, 8), __aster_posix_memalign(&(void *){0}, 24, 8));
    errno = *__aster___errno_location() = 0;
    same("reallocarray", "", "", 0, reallocarray(0, -1, 2) != 0, __aster_reallocarray(0, -1, 2) != 0);
    same("reallocarray (errno)", "", "", 0, errno, *__aster___errno_location());
    // What the lowering says of these.
    same("malloc(0)", "", "", 0, 1, malloc(0) != malloc(0));
    same("calloc", "", "", 0, 0, calloc(-1, 4) != 0);
    same("realloc(p, 0)", "", "", 0, 0, realloc(malloc(4), 0) != 0);
    same("realloc(0, 0)", "", "", 0, 1, realloc(0, 0) != 0);
}

static void files(void) {
    static const char *contents[] = {"", "\n", "a", "abc\ndef\n", "abcdefghij", "a\n\nb"};
    for (unsigned i = 0; i < sizeof contents / sizeof *contents; i++) {
        FILE *file = fopen("text", "w");
        fputs(contents[i], file);
        fclose(file);
        for (int size = 1; size < 8; size++) {
            FILE *first = fopen("text", "r"), *second = fopen("text", "r");
            for (int line = 0; line < 5; line++) {
                char real[16] = "untouched", model[16] = "untouched";
                begin("fgets");
                char *found = fgets(real, size, first);
                // Where the file ends within a line, this is no error.
                if (found && (int)strlen(real) < size - 1 && !strchr(real, '\n'))
                    give(0);
                char *mine = __aster_fgets(model, size, second);
                same("fgets", contents[i], "", size, found != 0, mine != 0);
                same("fgets (text)", contents[i], "", size, 0, memcmp(real, model, 16));
                end();
            }
            rewind(first);
            char real[16] = "untouched", model[16] = "untouched";
            begin("fread");
            size_t count = fread(real, 2, size, first), bytes = ftell(first);
            give(bytes);
            for (size_t j = 0; j < bytes; j++)
                give(real[j]);
            same("fread", contents[i], "", size, count, __aster_fread(model, 2, size, second));
            same("fread (bytes)", contents[i], "", size, 0, memcmp(real, model, 16));
            end();
            int descriptor = fileno(first);
            lseek(descriptor, 0, SEEK_SET);
            begin("read");
            long length = read(descriptor, real, size);
            give(1);
            give(length);
            for (long j = 0; j < length; j++)
                give(real[j]);
            same("read", contents[i], "", size, length, __aster_read(descriptor, model, size));
            same("read (bytes)", contents[i], "", size, 0, memcmp(real, model, 16));
            end();
            fclose(first);
            fclose(second);
        }
    }
    same("read", "", "", -1, read(-1, 0, 1), __aster_read(-1, 0, 1));
}

static void floats(void) {
    static const char *written[] = {"", "1", "-2.5", "1e3x", "0x10", "abc", " 7"};
    for (unsigned i = 0; i < sizeof written / sizeof *written; i++) {
        char *real_end, *model_end;
        begin("strtod");
        double real = strtod(written[i], &real_end);
        give(real_end - written[i]);
        give(real * 8);
        same("strtod", written[i], "", 0, real * 8, __aster_strtod(written[i], &model_end) * 8);
        same("strtod (end)", written[i], "", 0, 0, real_end - model_end);
        end();
    }
}

static int sign(int value) {
    return (value > 0) - (value < 0);
}

#define WHERE(pointer, text) ((pointer) == 0 ? -1 : (pointer) - (text))

static void wide(void) {
    static const wchar_t *texts[] = {L"", L"a", L"ab", L"b", L"aba", L"\x10ffff", L"bab", L"aabab"};
    begin("wide");
    for (unsigned i = 0; i < 8; i++)
        for (unsigned j = 0; j < 8; j++) {
            const wchar_t *a = texts[i], *b = texts[j];
            same("wcslen", "", "", i, wcslen(a), __aster_wcslen(a));
            same("wcscmp", "", "", i, sign(wcscmp(a, b)), __aster_wcscmp(a, b));
            same("wcsstr", "", "", i, WHERE(wcsstr(a, b), a), WHERE(__aster_wcsstr(a, b), a));
            same("wcschr", "", "", i, WHERE(wcschr(a, b[0]), a), WHERE(__aster_wcschr(a, b[0]), a));
            same("wcsrchr", "", "", i, WHERE(wcsrchr(a, b[0]), a), WHERE(__aster_wcsrchr(a, b[0]), a));
            wchar_t *copy = __aster_wcsdup(a);
            same("wcsdup", "", "", i, 0, wcscmp(a, copy));
            free(copy);
            for (size_t n = 0; n < 7; n++) {
                wchar_t first[16], second[16];
                same("wcsnlen", "", "", i, wcsnlen(a, n), __aster_wcsnlen(a, n));
                same("wcsncmp", "", "", i, sign(wcsncmp(a, b, n)), __aster_wcsncmp(a, b, n));
                wmemset(first, L'z', 16);
                __aster_wmemset(second, L'z', 16);
                wcscat(wcscpy(first, a), b);
                __aster_wcscat(__aster_wcscpy(second, a), b);
                same("wcscat", "", "", i, 0, wmemcmp(first, second, 16));
                wcsncat(wcsncpy(first, a, 6), b, n);
                __aster_wcsncat(__aster_wcsncpy(second, a, 6), b, n);
                same("wcsncat", "", "", i, 0, wmemcmp(first, second, 16));
                wmemmove(first + 1, first, n);
                __aster_wmemmove(second + 1, second, n);
                same("wmemmove", "", "", i, 0, wmemcmp(first, second, 16));
                wmemcpy(first, b, wcslen(b) + 1);
                __aster_wmemcpy(second, b, wcslen(b) + 1);
                same("wmemcpy", "", "", i, 0, wmemcmp(first, second, 16));
                same("wmemcmp", "", "", i, sign(wmemcmp(first, L"abababab", n)),
                     __aster_wmemcmp(first, L"abababab", n));
                same("wmemchr", "", "", i, WHERE(wmemchr(first, L'b', n), first),
                     WHERE(__aster_wmemchr(first, L'b', n), first));
            }
        }
}

// What the lowering says of the results of output functions.
static void output(void) {
    FILE *file = fopen("out", "w");
    same("fprintf", "", "", 0, 5, fprintf(file, "hello"));
    same("fprintf", "", "", 0, 8, fprintf(file, "%%%c%.2s%4s", 'x', "abc", "d"));
    same("fputs", "", "", 0, 1, fputs("text", file) >= 0);
    same("fputc", "", "", 0, 253, fputc(-3, file));
    same("fwrite", "", "", 0, 3, fwrite("abcdef", 2, 3, file));
    same("fclose", "", "", 0, 0, fclose(file));
    file = fopen("/dev/full", "w");
    if (file) {
        setvbuf(file, 0, _IONBF, 0);
        same("fprintf (full)", "", "", 0, -1, fprintf(file, "hello"));
        same("fputs (full)", "", "", 0, -1, fputs("hello", file));
        same("fputc (full)", "", "", 0, -1, fputc('x', file));
        fclose(file);
    }
    same("sleep", "", "", 0, 0, sleep(0));
    same("clock", "", "", 0, 1, clock() >= -1);
    same("getpid", "", "", 0, 1, getpid() > 0);
    same("isatty", "", "", 0, 0, isatty(-1));
    for (int i = 0; i < 100; i++)
        same("rand", "", "", 0, 1, rand() >= 0 && RAND_MAX == 0x7fffffff);
    // Lengths of directives, whatever the argument is.
    static const long long numbers[] = {0, 1, -1, 0x7fffffff, -0x7fffffff - 1, 0x7fffffffffffffff, -0x7fffffffffffffff - 1};
    char text[64];
    for (unsigned i = 0; i < sizeof numbers / sizeof *numbers; i++) {
#define LENGTH(format, number, low, high)                                           \
    do {                                                                            \
        int length = sprintf(text, format, number);                                 \
        same(#format, text, "", i, 1, (low) <= length && length <= (high));         \
    } while (0)
        LENGTH("%d", (int)numbers[i], 1, 11);
        LENGTH("%+d", (int)numbers[i], 1, 11);
        LENGTH("%u", (unsigned)numbers[i], 1, 12);
        LENGTH("%#x", (unsigned)numbers[i], 1, 10);
        LENGTH("%#o", (unsigned)numbers[i], 1, 13);
        LENGTH("%lld", numbers[i], 1, 21);
        LENGTH("%#llo", numbers[i], 1, 24);
        LENGTH("%.0d", (int)numbers[i], 0, 11);
        LENGTH("%14.12d", (int)numbers[i], 14, 14);
        LENGTH("%hhd", (int)numbers[i], 1, 11);
        LENGTH("%p", (void *)(size_t)numbers[i], 3, 18);
    }
}

void outside(void) {
    clocks();
    errors();
    allocations();
    files();
    floats();
    wide();
    output();
}
