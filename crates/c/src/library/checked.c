// Functions that gcc's headers call with the size of the target, if that is known. If the result would not
// fit, they end the program.

char *__aster___strcpy_chk(char *to, const char *from, __aster_size size) {
    if (size != (__aster_size)-1 && __aster_strlen(from) >= size)
        __builtin_abort();
    return __aster_strcpy(to, from);
}

char *__aster___stpcpy_chk(char *to, const char *from, __aster_size size) {
    if (size != (__aster_size)-1 && __aster_strlen(from) >= size)
        __builtin_abort();
    return __aster_stpcpy(to, from);
}

char *__aster___strncpy_chk(char *to, const char *from, __aster_size n, __aster_size size) {
    if (n > size)
        __builtin_abort();
    return __aster_strncpy(to, from, n);
}

char *__aster___stpncpy_chk(char *to, const char *from, __aster_size n, __aster_size size) {
    if (n > size)
        __builtin_abort();
    return __aster_stpncpy(to, from, n);
}

char *__aster___strcat_chk(char *to, const char *from, __aster_size size) {
    if (size != (__aster_size)-1 && __aster_strlen(to) + __aster_strlen(from) >= size)
        __builtin_abort();
    return __aster_strcat(to, from);
}

char *__aster___strncat_chk(char *to, const char *from, __aster_size n, __aster_size size) {
    if (size != (__aster_size)-1 && __aster_strlen(to) + __aster_strnlen(from, n) >= size)
        __builtin_abort();
    return __aster_strncat(to, from, n);
}

void *__aster___mempcpy_chk(void *to, const void *from, __aster_size n, __aster_size size) {
    if (n > size)
        __builtin_abort();
    return __aster_mempcpy(to, from, n);
}
