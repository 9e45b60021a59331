// <stdio.h> and <unistd.h>: functions that read into memory.

// A character is read at a time, until there are enough, the line ends, or there are no more.
char *__aster_fgets(char *s, int size, void *stream) {
    int length = 0;
    if (size <= 0)
        return 0;
    while (length < size - 1) {
        int c = __builtin_fgetc(stream);
        if (c == -1 && (length == 0 || __builtin_aster_any_char() != 0))
            return 0;
        if (c == -1)
            break;
        s[length] = (char)c;
        length++;
        if (c == '\n')
            break;
    }
    s[length] = 0;
    return s;
}

int *__aster_fgetws(int *s, int size, void *stream) {
    int length = 0;
    if (size <= 0)
        return 0;
    while (length < size - 1) {
        int c = __builtin_aster_any_int();
        __builtin_fgetc(stream);
        if (c == -1 && (length == 0 || __builtin_aster_any_char() != 0))
            return 0;
        if (c == -1)
            break;
        s[length] = c;
        length++;
        if (c == '\n')
            break;
    }
    s[length] = 0;
    return s;
}

// As many bytes as there are, in a place that holds all that are asked for.
__aster_size __asterlib_receive(char *s, __aster_size most) {
    __aster_size length = (__aster_size)__builtin_aster_any_long();
    __builtin_aster_assume(length <= most);
    for (__aster_size i = 0; i < length; i++)
        s[i] = (char)__builtin_aster_any_char();
    return length;
}

__aster_size __aster_fread(void *s, __aster_size size, __aster_size count, void *stream) {
    __builtin_fgetc(stream);
    if (size == 0 || count == 0)
        return 0;
    if (count > (__aster_size)-1 / size)
        __builtin_aster_undefined();
    return __asterlib_receive(s, size * count) / size;
}

long __aster_read(int file, void *s, __aster_size size) {
    if (file < 0 || __builtin_aster_any_char() == 0)
        return -1;
    return (long)__asterlib_receive(s, size);
}

long __aster_recv(int file, void *s, __aster_size size, int flags) {
    return __aster_read(file, s, size);
}

int __aster_accept(int file, void *address, unsigned int *length) {
    if (address != 0 || (length != 0 && *length != 0))
        __builtin_aster_unmodelled();
    int result = __builtin_aster_any_int();
    __builtin_aster_assume(result >= -1);
    return file < 0 ? -1 : result;
}
