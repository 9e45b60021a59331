// <string.h> and <strings.h>. Comparisons give the difference of the first bytes that differ.

__aster_size __aster_strlen(const char *s) {
    __aster_size length = 0;
    while (s[length] != 0)
        length++;
    return length;
}

__aster_size __aster_strnlen(const char *s, __aster_size max) {
    __aster_size length = 0;
    while (length < max && s[length] != 0)
        length++;
    return length;
}

// Texts that overlap may not be copied: a character would be read that was overwritten, or the other way round.
char *__aster_strcpy(char *to, const char *from) {
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

char *__aster_stpcpy(char *to, const char *from) {
    __aster_strcpy(to, from);
    return to + __aster_strlen(to);
}

char *__aster_strncpy(char *to, const char *from, __aster_size n) {
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

char *__aster_stpncpy(char *to, const char *from, __aster_size n) {
    __aster_size i = 0;
    while (i < n && from[i] != 0) {
        to[i] = from[i];
        i++;
    }
    char *end = to + i;
    while (i < n) {
        to[i] = 0;
        i++;
    }
    return end;
}

char *__aster_strcat(char *to, const char *from) {
    char *end = to + __aster_strlen(to);
    __aster_size i = 0;
    while ((end[i] = from[i]) != 0) {
        i++;
        if (end + i == from || from + i == to)
            __builtin_aster_undefined();
    }
    return to;
}

char *__aster_strncat(char *to, const char *from, __aster_size n) {
    char *end = to + __aster_strlen(to);
    __aster_size i = 0;
    while (i < n && from[i] != 0) {
        end[i] = from[i];
        i++;
    }
    end[i] = 0;
    return to;
}

int __aster_strcmp(const char *a, const char *b) {
    while (*a != 0 && *a == *b) {
        a++;
        b++;
    }
    return *(const unsigned char *)a - *(const unsigned char *)b;
}

int __aster_strncmp(const char *a, const char *b, __aster_size n) {
    __aster_size i = 0;
    while (i < n && a[i] != 0 && a[i] == b[i])
        i++;
    return i < n ? ((const unsigned char *)a)[i] - ((const unsigned char *)b)[i] : 0;
}

// In the C locale.
int __aster_strcoll(const char *a, const char *b) {
    return __aster_strcmp(a, b);
}

int __asterlib_fold_case(unsigned char c) {
    return c >= 'A' && c <= 'Z' ? c + 32 : c;
}

int __aster_strcasecmp(const char *a, const char *b) {
    while (*a != 0 && __asterlib_fold_case(*a) == __asterlib_fold_case(*b)) {
        a++;
        b++;
    }
    return __asterlib_fold_case(*a) - __asterlib_fold_case(*b);
}

int __aster_strncasecmp(const char *a, const char *b, __aster_size n) {
    __aster_size i = 0;
    while (i < n && a[i] != 0 && __asterlib_fold_case(a[i]) == __asterlib_fold_case(b[i]))
        i++;
    return i < n ? __asterlib_fold_case(a[i]) - __asterlib_fold_case(b[i]) : 0;
}

char *__aster_strchr(const char *s, int c) {
    while (*s != (char)c) {
        if (*s == 0)
            return 0;
        s++;
    }
    return (char *)s;
}

char *__aster_strchrnul(const char *s, int c) {
    while (*s != 0 && *s != (char)c)
        s++;
    return (char *)s;
}

char *__aster_strrchr(const char *s, int c) {
    const char *last = 0;
    while (*s != 0) {
        if (*s == (char)c)
            last = s;
        s++;
    }
    return (char *)((char)c == 0 ? s : last);
}

char *__aster_index(const char *s, int c) {
    return __aster_strchr(s, c);
}

char *__aster_rindex(const char *s, int c) {
    return __aster_strrchr(s, c);
}

char *__aster_strstr(const char *s, const char *part) {
    while (1) {
        __aster_size i = 0;
        while (part[i] != 0 && s[i] == part[i])
            i++;
        if (part[i] == 0)
            return (char *)s;
        if (*s == 0)
            return 0;
        s++;
    }
}

__aster_size __aster_strspn(const char *s, const char *accepted) {
    __aster_size length = 0;
    while (s[length] != 0 && __aster_strchr(accepted, s[length]) != 0)
        length++;
    return length;
}

__aster_size __aster_strcspn(const char *s, const char *refused) {
    __aster_size length = 0;
    while (s[length] != 0 && __aster_strchr(refused, s[length]) == 0)
        length++;
    return length;
}

char *__aster_strpbrk(const char *s, const char *wanted) {
    s += __aster_strcspn(s, wanted);
    return *s != 0 ? (char *)s : 0;
}

char *__aster_strdup(const char *s) {
    char *copy = __builtin_malloc(__aster_strlen(s) + 1);
    return copy != 0 ? __aster_strcpy(copy, s) : 0;
}

char *__aster_strndup(const char *s, __aster_size n) {
    __aster_size length = __aster_strnlen(s, n);
    char *copy = __builtin_malloc(length + 1);
    if (copy == 0)
        return 0;
    copy[length] = 0;
    return __aster_strncpy(copy, s, length);
}

int __aster_memcmp(const void *a, const void *b, __aster_size n) {
    const unsigned char *left = a;
    const unsigned char *right = b;
    /* All bytes must be there, also those behind the first difference. */
    if (n > 0) {
        left[n - 1];
        right[n - 1];
    }
    for (__aster_size i = 0; i < n; i++)
        if (left[i] != right[i])
            return left[i] - right[i];
    return 0;
}

int __aster_bcmp(const void *a, const void *b, __aster_size n) {
    return __aster_memcmp(a, b, n);
}

void *__aster_memchr(const void *s, int c, __aster_size n) {
    const unsigned char *bytes = s;
    for (__aster_size i = 0; i < n; i++)
        if (bytes[i] == (unsigned char)c)
            return (void *)(bytes + i);
    return 0;
}

void *__aster_mempcpy(void *to, const void *from, __aster_size n) {
    for (__aster_size i = 0; i < n; i++)
        ((char *)to)[i] = ((const char *)from)[i];
    return (char *)to + n;
}

void __aster_bzero(void *s, __aster_size n) {
    for (__aster_size i = 0; i < n; i++)
        ((char *)s)[i] = 0;
}
