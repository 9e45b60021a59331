// expect: TRUE
// property: valid-memsafety
// C11 6.5.8p5, 6.5.6p9: pointers to different objects are compared and subtracted. The addresses count, and nothing is accessed.
int main(void)
{
    int one[2] = {1, 2}, other[2] = {3, 4};
    int *lower = one < other ? one : other;
    long distance = other - one;
    return lower[1] + (distance != 0);
}
