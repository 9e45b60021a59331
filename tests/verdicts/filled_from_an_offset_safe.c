// expect: TRUE
// only: symexec-ia
// options: --timeout 60s
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

/* Two bytes a turn, from an offset that is forgotten. That they fit is a sum of four variables, which is an interpolant only
   as long as nothing wraps around. */
int main(void)
{
    int room = __VERIFIER_nondet_int();
    int position = __VERIFIER_nondet_int();
    int count = __VERIFIER_nondet_int();
    if (room < 0 || room > 500000 || position < 0 || position > room || count < 0 || count > 500000)
        return 0;
    if (room - position < 2 * count)
        return 0;
    for (int i = 0; i < count; i++) {
        if (position + 1 >= room)
            reach_error();
        position += 2;
    }
    return 0;
}
