//! Which programs are harmless without a sandbox: those that call nothing but input, output and memory.

use crate::compile::{Compiled, Workshop};
use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

/// Functions of the C library that touch nothing but the program's memory, its standard streams, and the program itself.
const HARMLESS: &[&str] = &[
    // Memory and texts.
    "malloc calloc realloc reallocarray free cfree valloc aligned_alloc memalign posix_memalign",
    "memcpy mempcpy memmove memset memcmp memchr memrchr rawmemchr bcmp bzero bcopy",
    "strlen strnlen strcpy stpcpy strncpy stpncpy strcat strncat strcmp strncmp strcasecmp strncasecmp strcoll",
    "strchr strchrnul strrchr strstr strspn strcspn strpbrk strtok strtok_r strsep strdup strndup index rindex",
    "wcslen wcsnlen wcscpy wcsncpy wcscat wcsncat wcscmp wcsncmp wcschr wcsrchr wcsstr wcsdup",
    "wmemset wmemcpy wmemmove wmemcmp wmemchr",
    "__strcpy_chk __stpcpy_chk __strncpy_chk __stpncpy_chk __strcat_chk __strncat_chk",
    "__memcpy_chk __memmove_chk __memset_chk __mempcpy_chk",
    // Characters and numbers.
    "isupper islower isalpha isdigit isxdigit isspace isprint isgraph isblank iscntrl ispunct isalnum isascii toascii",
    "toupper tolower __ctype_b_loc __ctype_tolower_loc __ctype_toupper_loc",
    "strtol strtoll strtoul strtoull strtod strtof strtold atoi atol atoll atof",
    "__isoc99_sscanf __isoc23_strtol __isoc23_strtoul __isoc23_strtoll __isoc23_strtoull",
    "abs labs llabs imaxabs div ldiv lldiv bsearch qsort rand srand random srandom htonl htons ntohl ntohs",
    "__errno_location strerror time difftime clock",
    // Input and output.
    "printf fprintf vprintf vfprintf puts fputs putchar putc fputc perror sprintf snprintf vsprintf vsnprintf",
    "__printf_chk __fprintf_chk __vprintf_chk __vfprintf_chk __sprintf_chk __snprintf_chk __vsnprintf_chk",
    "wprintf fwprintf fputws putwchar fputwc getchar fgetc getc fgets fgetws ungetc fread fwrite fflush feof ferror clearerr",
    "scanf fscanf sscanf __isoc99_scanf __isoc99_fscanf stdin stdout stderr",
    // The end.
    "exit _exit _Exit quick_exit abort atexit __assert_fail __assert __assert_perror_fail",
    // What compilers call for arithmetic.
    "__muldi3 __divdi3 __udivdi3 __moddi3 __umoddi3 __divti3 __udivti3 __modti3 __umodti3 __multi3",
    "__popcountdi2 __popcountsi2 __ctzdi2 __clzdi2 __ffsdi2 __paritydi2 __stack_chk_fail",
    "_GLOBAL_OFFSET_TABLE_ __x86.get_pc_thunk.bx __tls_get_addr ___tls_get_addr",
];

/// Functions of `<math.h>`, each also with `f` and `l` behind its name.
const MATHEMATICAL: &str = "fdim modf frexp ldexp scalbn scalbln ilogb logb nextafter fabs sqrt floor ceil trunc round roundeven \
    rint nearbyint lrint llrint lround llround fmod remainder drem copysign fmin fmax fma nan sin cos tan asin acos atan atan2 \
    sinh cosh tanh asinh acosh atanh exp exp2 expm1 log log2 log10 log1p pow cbrt hypot erf erfc finite isnan isinf";

/// What begins like this belongs to the sanitizers.
const OF_SANITIZERS: [&str; 3] = ["__asan_", "__ubsan_", "__sanitizer_"];

/// What keeps a program from being run without a sandbox; `None` if it is harmless.
pub(crate) fn harm(workshop: &Workshop, compiled: &Compiled, text: &str) -> Option<String> {
    if has_assembly(text) {
        return Some("has instructions of its own (asm)".to_owned());
    }
    if text.lines().any(includes_own_file) {
        return Some("includes files of its own, which may hold anything".to_owned());
    }
    let Some(wanted) = symbols(workshop, &compiled.program, "--undefined-only") else {
        return Some("cannot be looked into (nm)".to_owned());
    };
    let mut supplied = BTreeSet::new();
    for object in &compiled.rest {
        supplied.extend(symbols(workshop, object, "--defined-only").unwrap_or_default());
    }
    let foreign = wanted.into_iter().find(|name| !supplied.contains(name) && !is_harmless(name));
    foreign.map(|name| format!("calls {name}"))
}

fn is_harmless(name: &str) -> bool {
    let is_mathematical = |name: &str| MATHEMATICAL.split_ascii_whitespace().any(|known| known == name);
    HARMLESS.iter().any(|names| names.split_ascii_whitespace().any(|known| known == name))
        || OF_SANITIZERS.iter().any(|beginning| name.starts_with(beginning))
        || is_mathematical(name)
        || name.strip_suffix(['f', 'l']).is_some_and(is_mathematical)
}

/// True if one of the words that begin assembly stands somewhere, be it in a comment.
fn has_assembly(text: &str) -> bool {
    let mut words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    words.any(|word| matches!(word, "asm" | "__asm" | "__asm__"))
}

/// `#include "name"`, or by a macro.
fn includes_own_file(line: &str) -> bool {
    let directive = line.trim_start().strip_prefix('#').map(str::trim_start);
    directive
        .and_then(|rest| rest.strip_prefix("include"))
        .is_some_and(|rest| !rest.trim_start().starts_with('<'))
}

/// The names that an object file needs or defines.
fn symbols(workshop: &Workshop, object: &Path, which: &str) -> Option<BTreeSet<String>> {
    let mut command = Command::new("nm");
    let command = command.args(["--format=posix", which]).arg(object).current_dir(workshop.path(""));
    let output = command.output().ok().filter(|output| output.status.success())?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    Some(text.lines().filter_map(|line| line.split_ascii_whitespace().next()).map(str::to_owned).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn harmless_functions() {
        for name in ["malloc", "printf", "sinf", "__asan_report_load4", "sqrtl", "exit"] {
            assert!(is_harmless(name), "{name}");
        }
        for name in [
            "system", "open", "fopen", "socket", "fork", "syscall", "dlopen", "unlink", "mmap", "write", "f",
            "",
        ] {
            assert!(!is_harmless(name), "{name}");
        }
        assert!(has_assembly("int main(void) { __asm__(\"syscall\"); }"));
        assert!(includes_own_file(" # include \"a.h\"") && !includes_own_file("#include <stdio.h>"));
        assert!(!has_assembly("int plasm = asm_1;"));
    }
}
