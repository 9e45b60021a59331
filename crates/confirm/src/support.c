/* Linked with a program and the inputs of a counterexample, so that everything that is looked for can be seen. */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <ucontext.h>
#include <unistd.h>

void __sanitizer_print_stack_trace(void);
void __lsan_do_leak_check(void);
int __lsan_do_recoverable_leak_check(void);

/* The harness calls it where the error is: the calls tell the place. */
void aster_reached(void) { __sanitizer_print_stack_trace(); }

/* What streams allocate is not the program's. */
__attribute__((constructor)) static void aster_prepare_streams(void) {
    static char input[BUFSIZ], output[BUFSIZ];
    setvbuf(stdin, input, _IOFBF, sizeof input);
    setvbuf(stdout, output, _IOFBF, sizeof output);
}

/* What earlier calls left behind below the stack would count as pointers once LeakSanitizer's own calls lie there. */
__attribute__((noinline)) static void aster_clear_stack(void) {
    volatile char left_behind[1 << 16];
    for (unsigned at = 0; at < sizeof left_behind; at++)
        left_behind[at] = 0;
}

__attribute__((constructor)) static void aster_prepare_end(void) { atexit(aster_clear_stack); }

#ifdef ASTER_LOOKS_AFTER
#ifdef __x86_64__
#define STACK_POINTER REG_RSP
#else
#define STACK_POINTER REG_ESP
#endif

/* A program that loops forever has lost memory before. What nothing points to stays lost, whenever that is seen. The registers of the
   program are on another stack meanwhile, where nobody looks for pointers; below its own one earlier calls left some behind. */
static void aster_look(int number, siginfo_t *information, void *context) {
    volatile char *end = (char *)((ucontext_t *)context)->uc_mcontext.gregs[STACK_POINTER] - 128;
    for (unsigned distance = 1; distance < 1 << 16; distance++)
        end[-(long)distance] = 0;
    if (__lsan_do_recoverable_leak_check())
        _exit(LEAK_CODE);
    alarm(ASTER_LOOKS_AFTER);
}

__attribute__((constructor)) static void aster_prepare_looking(void) {
    struct sigaction action = {.sa_sigaction = aster_look, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    sigaction(SIGALRM, &action, 0);
    alarm(ASTER_LOOKS_AFTER);
}
#endif

/* Leaks are looked for when a program returns from main or calls exit. It may also end otherwise. */
#define ENDS(function)                                                                                                \
    __attribute__((noreturn)) void __real_##function(int code);                                                       \
    __attribute__((noreturn)) void __wrap_##function(int code) {                                                      \
        aster_clear_stack();                                                                                          \
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
