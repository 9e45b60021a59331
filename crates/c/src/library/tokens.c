// The functions of <string.h> that compilers have no builtin for.

void *__aster_memrchr(const void *s, int c, __aster_size n) {
    const unsigned char *bytes = s;
    while (n > 0) {
        n--;
        if (bytes[n] == (unsigned char)c)
            return (void *)(bytes + n);
    }
    return 0;
}

void *__aster_rawmemchr(const void *s, int c) {
    const unsigned char *bytes = s;
    while (*bytes != (unsigned char)c)
        bytes++;
    return (void *)bytes;
}

char *__aster_strtok_r(char *s, const char *separators, char **state) {
    if (s == 0)
        s = *state;
    s += __aster_strspn(s, separators);
    if (*s == 0) {
        *state = s;
        return 0;
    }
    char *end = s + __aster_strcspn(s, separators);
    if (*end != 0) {
        *end = 0;
        end++;
    }
    *state = end;
    return s;
}

char *__aster_strtok(char *s, const char *separators) {
    static char *state;
    return __aster_strtok_r(s, separators, &state);
}

char *__aster_strsep(char **rest, const char *separators) {
    char *start = *rest;
    if (start == 0)
        return 0;
    char *end = start + __aster_strcspn(start, separators);
    if (*end != 0) {
        *end = 0;
        *rest = end + 1;
    } else {
        *rest = 0;
    }
    return start;
}
