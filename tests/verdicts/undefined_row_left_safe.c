// expect: TRUE
// property: valid-memsafety
// C11 6.5.6p8: the index is beyond the row, but inside of the array. The property is about objects: no violation.
int main(void)
{
    int rows[2][3] = {{1, 2, 3}, {4, 5, 6}};
    int beyond = 4;
    return rows[0][beyond] - 5;
}
