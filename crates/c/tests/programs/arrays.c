/* Arrays, indices, pointer arithmetic and comparisons. */
void report(unsigned long long value);
#define R(...) report((unsigned long long)(__VA_ARGS__))

struct cell { short key; int values[3]; struct { char c; long l; } in[2]; };
static int matrix[3][4] = { { 1, 2, 3, 4 }, { 5, 6 }, 9, 10, 11, 12 };
static struct cell cells[2][2] = { { { 1, { 2, 3 } } }, { [1] = { .values = { [2] = 7 }, .in[1].l = -1 } } };
static char cube[2][3][4];
static int global[10];

static int total(int rows, int a[][4]) {
    int sum = 0;
    for (int i = 0; i < rows; i++) {
        for (int j = 0; j < 4; j++) {
            sum += a[i][j] * (i + 1);
        }
    }
    return sum;
}

static int row_sum(const int (*row)[4]) {
    return (*row)[0] + (*row)[1] + row[0][2] + *(*row + 3);
}

static int *find(int *from, int *to, int what) {
    while (from != to && *from != what) {
        from++;
    }
    return from;
}

static void fill(char c[3][4], int seed) {
    for (int i = 0; i < 12; i++) {
        c[i / 4][i % 4] = seed + i;
    }
}

static int f_calls;
static int f(int x) { f_calls++; return x; }

int main(void) {
    R(matrix[2][3]); R(matrix[1][2]); R(total(3, matrix)); R(row_sum(&matrix[2])); R(row_sum(matrix + 1));
    R(sizeof matrix / sizeof matrix[0]); R(sizeof matrix[0]); R(sizeof *matrix[0]); R(sizeof cube[0]);
    R(2[matrix][1]); R(1[2[matrix]]); int i = 1; R(i[matrix[i]]); R((i++)[global] = 4); R(i); R(global[1]);
    int *p = &matrix[1][1]; R(p[-1]); R(-1[p]); R(*(p + 4)); R((p - 2)[0]); R(p - &matrix[0][0]); R(&matrix[0][0] - p);
    R(p > matrix[1]); R(p >= &matrix[1][1]); R(p < matrix[2]); R(p == matrix[1] + 1); R(p != *(matrix + 1) + 1);
    int (*rows)[4] = matrix; R((rows + 2) - matrix); R(rows[2][1]); rows++; R((*rows)[1]); R(*rows[1]); R(sizeof *rows);
    int (*whole)[3][4] = &matrix; R((*whole)[2][2]); R(sizeof *whole); R((char *)(whole + 1) - (char *)whole);
    cells[0][1].values[1] = 5; cells[1][0] = cells[0][1]; R(cells[1][0].values[1]); R(cells[1][1].values[2]); R(cells[1][1].in[1].l);
    struct cell *c = &cells[0][0]; c++; R(c->values[1]); c[1].in[0].c = -7; R(cells[1][0].in[0].c); R(&cells[1][1] - c);
    int *end = &global[10], *start = global; R(end - start); for (int *q = start; q < end; q++) { *q = q - start; } R(global[9]);
    R(find(start, end, 6) - start); R(find(start, end, 66) == end); R(end[-1]); R(*--end); R(end - start);
    fill(cube[1], 40); R(cube[1][2][3]); R(cube[0][0][0]); R(*(*(*(cube + 1) + 1) + 2)); R(&cube[1][0][0] - &cube[0][0][0]);
    int index = 0; global[index++] += f(3) * 10; R(global[0]); R(index); global[index++] = index + 100; R(f_calls);
    global[f(3)] -= 50; R(global[3]); global[f(4)]++; R(global[4]); R(global[f(5)]--); R(++global[f(5)]); R(f_calls);
    int *s = global, *d = global + 5; *d++ = *s++; *d++ = *s++; R(global[5]); R(global[6]); R(d - s); R(*d++ + *++s); R((*s)++); R(*s); R(++*s);
    int x = (global[7] = global[8] + 1); R(x); R(global[7]); x = (global[7] += (global[8] -= 2)); R(x); R(global[8]);
    char small[2]; R(small[0] = 300); R(small[1] = -1); R((small[0] += 200)); R((unsigned char)small[1]);
    R((i = 2, global[i])); int a = 1, b = 2; *(f(1) ? &a : &b) = 9; R(a); *(f(0) ? &a : &b) += 9; R(b); (f(1), a) ; R((&a)[0]);
    int *table[3] = { &a, &b, global + 4 }; *table[1] = 3; R(b); R(*table[2]); int **pp = table; R(**++pp); pp[1][1] = 66; R(global[5]); R(*pp - &b);
    int ***ppp = &pp; ***ppp = 12; R(b); (*ppp)--; R(**pp); R(*ppp == table);
    long long big[4] = { 1LL << 40, -1, [3] = 5 }; R(big[0] >> 38); R(big[2]); big[3] *= big[1]; R(big[3]); R((char *)&big[3] - (char *)big);
    for (unsigned char k = 3; k < 4; k--) { R(big[k]); }
    signed char minus = -2; R((&global[4])[minus]); unsigned u = 1; R((global + 3)[-(int)u]); R(*(global + u * 2)); R(global[2 * u + 1 - 1]);
    int local[2][2] = { { 1, 2 }, { 3, 4 } }, (*lp)[2] = local; lp[1][0] ^= lp[0][1]; R(local[1][0]); R(!!lp); R(&local[0] == lp); R((void *)&local == (void *)&local[0][0]);
    return 0;
}
