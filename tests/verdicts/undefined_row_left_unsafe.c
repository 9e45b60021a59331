// expect: FALSE(valid-deref)
// property: valid-memsafety
// C11 6.5.6p8: the index is beyond the row, and beyond the array.
int main(void)
{
    int rows[2][3] = {{1, 2, 3}, {4, 5, 6}};
    int beyond = 6;
    return rows[0][beyond];
}
