// expect: FALSE(valid-deref)
// property: valid-memsafety
// C11 6.5.6p9: a distance between different objects is no way from one to the other.
int main(void)
{
    int one[2] = {1, 2}, other[2] = {3, 4};
    int *lower = one < other ? one : other;
    return lower[2];
}
