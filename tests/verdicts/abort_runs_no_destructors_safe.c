// expect: TRUE
extern void reach_error(void);
extern void abort(void);
__attribute__((destructor)) static void end(void) { reach_error(); }
int main(void) { abort(); }
