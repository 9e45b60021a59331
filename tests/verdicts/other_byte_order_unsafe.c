// expect: FALSE(unreach-call)
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);
#pragma scalar_storage_order big-endian
struct big { unsigned n; };
#pragma scalar_storage_order default
int main(void) {
    struct big b;
    b.n = __VERIFIER_nondet_uint();
    if (*(unsigned char *)&b == 0x77) reach_error();
    return 0;
}
