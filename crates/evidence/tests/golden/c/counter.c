extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

unsigned char counts[4];
int noise[4];

int main(void)
{
    for (int i = 0; i < 300; i++) {
        counts[i % 2 + 1]++;
        noise[i % 4] = i;
    }
    int which = __VERIFIER_nondet_int();
    if (which < 0 || which >= 4)
        return 0;
    counts[which] += 107;
    if (counts[which] < 107)
        reach_error();
    return 0;
}
