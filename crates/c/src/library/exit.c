// What is called when the program ends in an orderly way, the last function that was given first.

void __asterlib_at_exit(int run, void (*function)(void)) {
    static void (*given[1024])(void);
    static int count;
    if (!run) {
        if (count >= 1024) __builtin_too_many_at_exit(count);
        given[count] = function;
        count++;
        return;
    }
    while (count > 0) {
        count--;
        given[count]();
    }
}

int __aster_atexit(void (*function)(void)) {
    __asterlib_at_exit(0, function);
    return 0;
}

void __asterlib_run_at_exit(void) {
    __asterlib_at_exit(1, (void (*)(void))0);
}
