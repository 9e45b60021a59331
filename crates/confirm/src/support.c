/* Linked with a program and the inputs of a counterexample, so that everything that is looked for can be seen. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

void __sanitizer_print_stack_trace(void);
void __lsan_do_leak_check(void);

/* The harness calls it where the error is: the calls tell the place. */
void aster_reached(void) { __sanitizer_print_stack_trace(); }

/* What streams allocate is not the program's. */
__attribute__((constructor)) static void aster_prepare_streams(void) {
    static char input[BUFSIZ], output[BUFSIZ];
    setvbuf(stdin, input, _IOFBF, sizeof input);
    setvbuf(stdout, output, _IOFBF, sizeof output);
}

/* Leaks are looked for when a program returns from main or calls exit. It may also end otherwise. */
#define ENDS(function)                                                                                                \
    __attribute__((noreturn)) void __real_##function(int code);                                                       \
    __attribute__((noreturn)) void __wrap_##function(int code) {                                                      \
        __lsan_do_leak_check();                                                                                       \
        __real_##function(code);                                                                                      \
    }
ENDS(_exit)
ENDS(_Exit)
ENDS(quick_exit)

/* The sandbox allows no signals, by which these end the program. */
static void aster_abort(void) {
    fputs("ABORT_MESSAGE\n", stderr);
    _exit(ABORT_CODE);
}
__attribute__((weak)) void abort(void) { aster_abort(); for (;;) ; }
__attribute__((weak)) void __assert_fail(const char *condition, const char *file, unsigned line, const char *function) {
    aster_abort();
}
__attribute__((weak)) void __assert(const char *condition, const char *file, int line) { aster_abort(); }
__attribute__((weak)) void __assert_perror_fail(int number, const char *file, unsigned line, const char *function) {
    aster_abort();
}
