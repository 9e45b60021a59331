// <time.h>. What the clock says is an input; what the calendar makes of it is known by ranges only.

// The clock may fail; the result is stored in any case.
long __aster_time(long *where) {
    long now = __builtin_aster_result_long();
    __builtin_aster_assume(now >= -1);
    if (where != 0)
        *where = now;
    return now;
}

// glibc computes with all bits of a `long double`, which hold every `time_t`.
double __aster_difftime(long later, long earlier) {
    return (double)((long double)later - (long double)earlier);
}

int __asterlib_rough_between(int low, int high) {
    int value = __builtin_aster_rough_int();
    __builtin_aster_assume(low <= value && value <= high);
    return value;
}

// A text of at least so many characters in an array of so many bytes.
void __asterlib_rough_text(char *text, __aster_size least, __aster_size size) {
    for (__aster_size i = 0; i + 1 < size; i++) {
        unsigned char byte = __builtin_aster_rough_char();
        __builtin_aster_assume(i >= least || byte != 0);
        text[i] = (char)byte;
    }
    text[size - 1] = 0;
}

void __asterlib_calendar(struct __asterlib_tm *tm) {
    tm->sec = __asterlib_rough_between(0, 60);
    tm->min = __asterlib_rough_between(0, 59);
    tm->hour = __asterlib_rough_between(0, 23);
    tm->mday = __asterlib_rough_between(1, 31);
    tm->mon = __asterlib_rough_between(0, 11);
    tm->year = __builtin_aster_rough_int();
    tm->wday = __asterlib_rough_between(0, 6);
    tm->yday = __asterlib_rough_between(0, 365);
}

// A year that no `int` can hold is an error.
struct __asterlib_tm *__asterlib_broken_down(long time, struct __asterlib_tm *tm, int is_local) {
    if ((time > 60000000000000000 || time < -60000000000000000) && __builtin_aster_rough_int() == 0)
        return 0;
    __asterlib_calendar(tm);
    tm->isdst = is_local ? __asterlib_rough_between(0, 1) : 0;
    tm->offset = is_local ? __builtin_aster_rough_long() : 0;
    tm->zone = "GMT";
    return tm;
}

// The one structure that the functions give which take no place for it.
struct __asterlib_tm *__asterlib_static_tm(void) {
    static struct __asterlib_tm tm;
    return &tm;
}

struct __asterlib_tm *__aster_gmtime(const long *time) {
    return __asterlib_broken_down(*time, __asterlib_static_tm(), 0);
}

struct __asterlib_tm *__aster_localtime(const long *time) {
    return __asterlib_broken_down(*time, __asterlib_static_tm(), 1);
}

struct __asterlib_tm *__aster_gmtime_r(const long *time, struct __asterlib_tm *tm) {
    return __asterlib_broken_down(*time, tm, 0);
}

struct __asterlib_tm *__aster_localtime_r(const long *time, struct __asterlib_tm *tm) {
    return __asterlib_broken_down(*time, tm, 1);
}

// Reads all that it depends on, and brings it into its ranges unless the time does not fit.
long __aster_mktime(struct __asterlib_tm *tm) {
    int day = tm->mday;
    int given[6] = {tm->sec, tm->min, tm->hour, tm->mon, tm->year, tm->isdst};
    long time = __builtin_aster_rough_long();
    if (time == -1 && __builtin_aster_rough_int() == 0)
        return -1;
    if (given[5] + day == given[0])
        given[1] = given[2] + given[3] + given[4];
    __asterlib_calendar(tm);
    tm->isdst = __asterlib_rough_between(0, 1);
    tm->offset = __builtin_aster_rough_long();
    tm->zone = "GMT";
    return time;
}

// "Thu Jan  1 00:00:00 1970\n"; null if the year is too long for the place.
char *__aster_asctime(const struct __asterlib_tm *tm) {
    static char text[64];
    int fields[7] = {tm->sec, tm->min, tm->hour, tm->mday, tm->mon, tm->year, tm->wday};
    if ((fields[5] < -2899 || fields[5] > 8099) && __builtin_aster_rough_int() == 0)
        return 0;
    __asterlib_rough_text(text, 24, 64);
    return text;
}

char *__aster_ctime(const long *time) {
    struct __asterlib_tm *tm = __aster_localtime(time);
    return tm != 0 ? __aster_asctime(tm) : 0;
}

// Without room it gives 0, and what is in the place then is not known.
__aster_size __aster_strftime(char *s, __aster_size size, const char *format, const struct __asterlib_tm *tm) {
    __aster_strlen(format);
    int fields[9] = {tm->sec, tm->min, tm->hour, tm->mday, tm->mon, tm->year, tm->wday, tm->yday, tm->isdst};
    __aster_size length = (__aster_size)__builtin_aster_rough_long();
    __builtin_aster_assume(length <= size);
    for (__aster_size i = 0; i < length; i++)
        s[i] = (char)__builtin_aster_rough_char();
    if (length == size)
        return 0;
    for (__aster_size i = 0; i < length; i++)
        __builtin_aster_assume(s[i] != 0);
    s[length] = 0;
    return fields[0] == fields[0] ? length : 0;
}
