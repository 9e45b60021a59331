// <ctype.h> in the C locale. Nonzero results have the values that glibc gives.

int __aster_isupper(int c) {
    return c >= 'A' && c <= 'Z' ? 256 : 0;
}

int __aster_islower(int c) {
    return c >= 'a' && c <= 'z' ? 512 : 0;
}

int __aster_isalpha(int c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ? 1024 : 0;
}

int __aster_isdigit(int c) {
    return c >= '0' && c <= '9' ? 2048 : 0;
}

int __aster_isxdigit(int c) {
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'F') || (c >= 'a' && c <= 'f') ? 4096 : 0;
}

int __aster_isspace(int c) {
    return c == ' ' || (c >= '\t' && c <= '\r') ? 8192 : 0;
}

int __aster_isprint(int c) {
    return c >= ' ' && c <= '~' ? 16384 : 0;
}

int __aster_isgraph(int c) {
    return c > ' ' && c <= '~' ? 32768 : 0;
}

int __aster_isblank(int c) {
    return c == ' ' || c == '\t' ? 1 : 0;
}

int __aster_iscntrl(int c) {
    return (c >= 0 && c < ' ') || c == 127 ? 2 : 0;
}

int __aster_ispunct(int c) {
    return (c >= '!' && c <= '/') || (c >= ':' && c <= '@') || (c >= '[' && c <= '`') || (c >= '{' && c <= '~')
        ? 4
        : 0;
}

int __aster_isalnum(int c) {
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ? 8 : 0;
}

int __aster_isascii(int c) {
    return c >= 0 && c <= 127;
}

int __aster_toascii(int c) {
    return c & 127;
}

// What the macros of glibc's <ctype.h> read: the bits of all classes, for -128 to 255.
const unsigned short **__aster___ctype_b_loc(void) {
    static const unsigned short bits[384] = {
        [128 ... 136] = 0x2,    [137] = 0x2003,         [138 ... 141] = 0x2002, [142 ... 159] = 0x2,
        [160] = 0x6001,         [161 ... 175] = 0xc004, [176 ... 185] = 0xd808, [186 ... 192] = 0xc004,
        [193 ... 198] = 0xd508, [199 ... 218] = 0xc508, [219 ... 224] = 0xc004, [225 ... 230] = 0xd608,
        [231 ... 250] = 0xc608, [251 ... 254] = 0xc004, [255] = 0x2,
    };
    static const unsigned short *table = bits + 128;
    return &table;
}
