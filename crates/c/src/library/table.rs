//! What is known about the functions of the C library, as `docs/library.md` tells it. A test compares both with the code.

/// How well a function is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Known {
    /// What it does is what the real function does.
    Exactly,
    /// All that the real function may do is possible, and more.
    Roughly,
    /// A call is not modelled.
    Refused,
}

use Known::{Exactly, Refused, Roughly};

/// Functions by how well they are known, with what there is to say about them.
pub(super) const TABLE: &[(&str, Known, &str)] = &[
    (
        "strlen strnlen strcmp strncmp strcoll strcasecmp strncasecmp strchr strchrnul strrchr index rindex strstr strspn strcspn strpbrk memcmp bcmp memchr memrchr rawmemchr",
        Exactly,
        "comparisons give the difference of the first two bytes that differ (compilers may give another number with the same sign); the C locale",
    ),
    ("strcpy stpcpy strcat memcpy", Exactly, "copying to where it overlaps is undefined"),
    ("strncpy stpncpy strncat mempcpy bzero memmove memset strtok strtok_r strsep", Exactly, ""),
    ("strdup strndup wcsdup", Exactly, "allocate"),
    (
        "wcslen wcsnlen wcscpy wcsncpy wcscat wcsncat wcscmp wcsncmp wcschr wcsrchr wcsstr wmemset wmemcpy wmemmove wmemcmp wmemchr",
        Exactly,
        "wide characters have four bytes",
    ),
    (
        "__strcpy_chk __stpcpy_chk __strncpy_chk __stpncpy_chk __strcat_chk __strncat_chk __mempcpy_chk",
        Exactly,
        "end the program if the result does not fit, as gcc's headers call them",
    ),
    (
        "isupper islower isalpha isdigit isxdigit isspace isprint isgraph isblank iscntrl ispunct isalnum isascii toascii toupper tolower __ctype_b_loc",
        Exactly,
        "the C locale; classes are nonzero as in glibc's tables",
    ),
    (
        "strtol strtoll strtoul strtoull atoi atol atoll abs labs llabs imaxabs htonl ntohl htons ntohs bsearch qsort atexit __errno_location",
        Exactly,
        "`qsort` keeps the order of elements that compare equal; `atexit` takes 1,024 functions at most",
    ),
    (
        "bswap16 bswap32 bswap64 popcount popcountl popcountll parity parityl parityll ffs ffsl ffsll ctz ctzl ctzll clz clzl clzll",
        Exactly,
        "gcc's `__builtin_` functions; counting zeros in zero is refused",
    ),
    (
        "malloc valloc alloca free cfree",
        Exactly,
        "memory is there, unless `--malloc-may-fail` is given; no bytes are an allocation too, whose address is like no other. More memory than there are addresses for is refused",
    ),
    ("calloc", Exactly, "null if the product is more than a difference of pointers can hold"),
    (
        "realloc reallocarray",
        Exactly,
        "as in glibc, no bytes mean that the memory is freed and null is given; the memory always moves",
    ),
    (
        "aligned_alloc memalign posix_memalign",
        Exactly,
        "alignments that are no power of two, or more than 4096, are refused where glibc's versions differ",
    ),
    (
        "fdim modf frexp ldexp scalbn scalbln ilogb logb nextafter fabs sqrt floor ceil trunc round roundeven rint nearbyint lrint llrint lround llround fmod remainder drem copysign fmin fmax fma isnan isinf isinf_sign isfinite finite isnormal signbit fpclassify nan fegetround fesetround",
        Exactly,
        "each also with `f` and `l`; of `+0` and `-0` the latter is the smaller one; `nan` gives a known payload for literals that are empty or a number",
    ),
    (
        "sin cos tan asin acos atan atan2 sinh cosh tanh asinh acosh atanh exp exp2 expm1 log log2 log10 log1p pow cbrt hypot erf erfc",
        Roughly,
        "each also with `f` and `l`; bounds and special values",
    ),
    (
        "printf fprintf dprintf __printf_chk __fprintf_chk __dprintf_chk wprintf fwprintf",
        Roughly,
        "what the format reads is checked; the result is -1 or the number of characters, exactly where all of them are written in the call, otherwise within bounds. An argument of another type than its directive is undefined, unless both are integers. `%n`, unknown directives and formats that are not written in the call and may write are refused",
    ),
    (
        "vprintf vfprintf vdprintf __vprintf_chk __vfprintf_chk __vdprintf_chk",
        Roughly,
        "only formats that read no memory",
    ),
    ("puts fputs fputws", Roughly, "the text is checked; not negative, or -1"),
    ("perror", Exactly, "the text is checked, unless it is null"),
    ("putchar putc fputc putwchar fputwc ungetc", Exactly, "the character, or -1"),
    (
        "fwrite write send",
        Exactly,
        "the memory is checked; any number up to what was asked for (-1 as well for `write` and `send`)",
    ),
    ("fopen tmpfile", Exactly, "null, or a stream that is no other"),
    ("fclose", Exactly, "the stream must not be used any more"),
    ("getchar fgetc getc", Exactly, "any character, or -1"),
    ("fgets fgetws", Exactly, "any text up to the end of a line, or null"),
    ("fread read recv", Exactly, "any bytes, up to what was asked for"),
    (
        "fflush feof ferror clearerr rewind fseek ftell fileno",
        Roughly,
        "any result that the function can give, whatever happened before; streams are checked",
    ),
    (
        "remove unlink rmdir chdir mkdir access rename open close socket bind connect listen isatty getuid getpid getppid system",
        Roughly,
        "the texts and bytes that they read are checked; any result that they can give",
    ),
    ("accept", Roughly, "only without a place for the address"),
    ("inet_addr", Roughly, "any address"),
    ("getenv", Roughly, "null, or a text outside of the program, whose contents are not modelled"),
    ("rand random", Exactly, "any number up to `RAND_MAX`"),
    ("srand srandom", Exactly, "make no sequence of numbers the same"),
    ("sleep", Exactly, "at most what was asked for"),
    ("usleep clock", Exactly, "any result, or -1"),
    ("time", Exactly, "any time, or -1, which is also stored; it need not grow"),
    ("difftime", Exactly, "rounded once from the exact difference"),
    (
        "gmtime localtime gmtime_r localtime_r mktime asctime ctime strftime",
        Roughly,
        "read what they need; fields within their ranges, texts of any contents",
    ),
    ("strerror", Roughly, "a text of at most 63 characters, never null"),
    ("atof strtod", Roughly, "the text is checked; any number"),
    (
        "abort exit _exit _Exit quick_exit pthread_exit trap unreachable __assert_fail __assert __assert_perror_fail assert",
        Exactly,
        "end the program, or are an error, as the property says",
    ),
    ("feclearexcept feraiseexcept", Roughly, "nothing"),
    (
        "fork vfork raise kill div fetestexcept fegetexceptflag fesetexceptflag feenableexcept fedisableexcept fegetenv fesetenv fesetmode feholdexcept feupdateenv",
        Refused,
        "change control flow, or have a meaning that is not modelled",
    ),
    (
        "on_exit signal setjmp _setjmp __sigsetjmp longjmp siglongjmp setlocale setvbuf setbuf freopen scanf sscanf fscanf sprintf snprintf vsprintf vsnprintf vscanf vfscanf vsscanf getline getdelim",
        Refused,
        "",
    ),
];

/// The table as it stands in the documentation.
pub(super) fn markdown() -> String {
    let mut text = String::from("| functions | known | notes |\n|---|---|---|\n");
    for (names, known, note) in TABLE {
        let names: Vec<String> = names.split(' ').map(|name| format!("`{name}`")).collect();
        let known = match known {
            Exactly => "exactly",
            Roughly => "over-approximated",
            Refused => "refused",
        };
        text.push_str(&format!("| {} | {known} | {note} |\n", names.join(", ")));
    }
    text
}
