// <wchar.h>: texts and memory of wide characters, which have four bytes.

__aster_size __aster_wcslen(const int *s) {
    __aster_size length = 0;
    while (s[length] != 0)
        length++;
    return length;
}

__aster_size __aster_wcsnlen(const int *s, __aster_size max) {
    __aster_size length = 0;
    while (length < max && s[length] != 0)
        length++;
    return length;
}

int *__aster_wcscpy(int *to, const int *from) {
    __aster_size i = 0;
    if (to == from)
        __builtin_aster_undefined();
    while ((to[i] = from[i]) != 0) {
        i++;
        if (to + i == from || from + i == to)
            __builtin_aster_undefined();
    }
    return to;
}

int *__aster_wcsncpy(int *to, const int *from, __aster_size n) {
    __aster_size i = 0;
    while (i < n && from[i] != 0) {
        to[i] = from[i];
        i++;
    }
    while (i < n) {
        to[i] = 0;
        i++;
    }
    return to;
}

int *__aster_wcscat(int *to, const int *from) {
    int *end = to + __aster_wcslen(to);
    __aster_size i = 0;
    while ((end[i] = from[i]) != 0) {
        i++;
        if (end + i == from || from + i == to)
            __builtin_aster_undefined();
    }
    return to;
}

int *__aster_wcsncat(int *to, const int *from, __aster_size n) {
    int *end = to + __aster_wcslen(to);
    __aster_size i = 0;
    while (i < n && from[i] != 0) {
        end[i] = from[i];
        i++;
    }
    end[i] = 0;
    return to;
}

int *__aster_wcschr(const int *s, int c) {
    while (*s != c) {
        if (*s == 0)
            return 0;
        s++;
    }
    return (int *)s;
}

int *__aster_wcsrchr(const int *s, int c) {
    const int *last = 0;
    while (*s != 0) {
        if (*s == c)
            last = s;
        s++;
    }
    return (int *)(c == 0 ? s : last);
}

int *__aster_wcsstr(const int *s, const int *part) {
    while (1) {
        __aster_size i = 0;
        while (part[i] != 0 && s[i] == part[i])
            i++;
        if (part[i] == 0)
            return (int *)s;
        if (*s == 0)
            return 0;
        s++;
    }
}

// 1 and -1, as in glibc.
int __aster_wcscmp(const int *a, const int *b) {
    while (*a != 0 && *a == *b) {
        a++;
        b++;
    }
    return *a == *b ? 0 : *a < *b ? -1 : 1;
}

int __aster_wcsncmp(const int *a, const int *b, __aster_size n) {
    __aster_size i = 0;
    while (i < n && a[i] != 0 && a[i] == b[i])
        i++;
    return i == n || a[i] == b[i] ? 0 : a[i] < b[i] ? -1 : 1;
}

int *__aster_wcsdup(const int *s) {
    int *copy = __builtin_malloc((__aster_wcslen(s) + 1) * sizeof *s);
    return copy != 0 ? __aster_wcscpy(copy, s) : 0;
}

int *__aster_wmemset(int *s, int c, __aster_size n) {
    for (__aster_size i = 0; i < n; i++)
        s[i] = c;
    return s;
}

int *__aster_wmemcpy(int *to, const int *from, __aster_size n) {
    for (__aster_size i = 0; i < n; i++)
        to[i] = from[i];
    return to;
}

int *__aster_wmemmove(int *to, const int *from, __aster_size n) {
    if (to <= from)
        return __aster_wmemcpy(to, from, n);
    while (n > 0) {
        n--;
        to[n] = from[n];
    }
    return to;
}

int __aster_wmemcmp(const int *a, const int *b, __aster_size n) {
    /* All elements must be there, also those behind the first difference. */
    if (n > 0) {
        a[n - 1];
        b[n - 1];
    }
    for (__aster_size i = 0; i < n; i++)
        if (a[i] != b[i])
            return a[i] < b[i] ? -1 : 1;
    return 0;
}

int *__aster_wmemchr(const int *s, int c, __aster_size n) {
    for (__aster_size i = 0; i < n; i++)
        if (s[i] == c)
            return (int *)(s + i);
    return 0;
}
