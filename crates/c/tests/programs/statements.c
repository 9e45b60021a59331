/* Control flow. */
void report(unsigned long long value);

static int fall_through(int x) {
    int r = 0;
    switch (x) {
    case 1:
        r += 1;
    case 2:
        r += 10;
        break;
    case 3:
    case 4:
        r += 100;
    default:
        r += 1000;
    case 5:
        r += 10000;
        break;
    case -1:
        r = -1;
    }
    return r;
}

static int default_first(int x) {
    switch (x) {
    default:
        x = 7;
    case 1:
        return x;
    case 2:
        return 20;
    }
}

static int no_default(int x) {
    int r = 3;
    switch (x + 1) {
    case 5:
        r = 4;
    }
    return r;
}

static int duff(int n) {
    int steps = 0, rounds = (n + 3) / 4;
    switch (n % 4) {
    case 0:
        do {
            steps += 1;
        case 3:
            steps += 10;
        case 2:
            steps += 100;
        case 1:
            steps += 1000;
        } while (--rounds > 0);
    }
    return steps;
}

static int switch_in_loop(int n) {
    int r = 0;
    for (int i = 0; i < n; i++) {
        switch (i % 5) {
        case 0:
            continue;
        case 1:
            break;
        case 2:
            r += 5;
            if (i > 10) {
                break;
            }
        case 3: {
            int j = 0;
            while (1) {
                if (++j > i) {
                    break;
                }
                if (j % 2) {
                    continue;
                }
                r++;
            }
            break;
        }
        default:
            r *= 2;
        }
        r += i;
    }
    return r;
}

static int ranges(int x) {
    switch (x) {
    case 0 ... 9:
        return 1;
    case 10 ... 99:
        return 2;
    case -5 ... -1:
        return 3;
    default:
        return 4;
    }
}

static int switch_types(unsigned char c, long long l, unsigned u) {
    int r = 0;
    switch (c) {
    case 255:
        r += 1;
        break;
    case 256:
        r += 1000000;
    }
    switch (l) {
    case 0x100000000ll:
        r += 10;
        break;
    case 0:
        r += 100;
    }
    switch (u) {
    case -1:
        r += 10000;
        break;
    case 0:
        r += 100000;
    }
    return r;
}

static int goto_into(int x) {
    int r = 0;
    if (x == 1) {
        goto inside;
    }
    for (int i = 0; i < 3; i++) {
        r += 10;
        if (x == 2) {
            goto out;
        }
        if (0) {
        inside:
            r += 100;
            i = 1;
        }
    }
    r += 1000;
out:
    return r;
}

static int goto_back(int n) {
    int sum = 0;
again:
    if (n > 0) {
        sum += n--;
        goto again;
    }
    return sum;
}

static int goto_out_of_nest(int n) {
    int i, j, k = 0;
    for (i = 0; i < n; i++) {
        for (j = 0; j < n; j++) {
            while (1) {
                k++;
                if (k % 3 == 0) {
                    goto next;
                }
                if (k > 50) {
                    goto done;
                }
            }
        next:;
        }
    }
done:
    return k * 100 + i * 10 + j;
}

static int loops(int n) {
    int r = 0, i = 0;
    while (i < n) {
        i++;
        if (i == 3) {
            continue;
        }
        if (i == 8) {
            break;
        }
        r += i;
    }
    do {
        r += 100;
        if (r > 500) {
            break;
        }
        if (r % 2) {
            continue;
        }
        r++;
    } while (r < 400);
    for (;;) {
        if (r-- < 300) {
            break;
        }
    }
    for (int j = 5; j; j--) {
        for (int k = j; k; --k) {
            if (k == 2) {
                continue;
            }
            if (k * j == 12) {
                break;
            }
            r += k;
        }
    }
    for (i = 0; i < 3; i++)
        for (int i = 0; i < 3; i++)
            r++;
    do
        r += 2;
    while (0);
    return r;
}

static int dangling(int a, int b) {
    if (a)
        if (b)
            return 1;
        else
            return 2;
    return 3;
}

static int empty(int x) {
    ;
    {}
    if (x)
        ;
    else
        ;
    for (; x > 5; x--)
        ;
    while (x-- > 2)
        ;
    switch (x) {
    }
    switch (x)
    case 1:
        x = 50;
    return x;
}

static int early(int x) {
    for (int i = 0; i < 10; i++) {
        if (i == x) {
            return i * 2;
        }
        {
            int i = x;
            if (i < 0) {
                return -i;
            }
        }
    }
    return 99;
}

static int nested_switch(int a, int b) {
    int r = 0;
    switch (a) {
    case 0:
        switch (b) {
        case 0:
            r = 1;
            break;
        default:
            r = 2;
        }
    case 1:
        r += 10;
        break;
    case 2:
        if (b) {
        case 3:
            r = 100;
        } else {
        case 4:
            r = 200;
        }
        r++;
    }
    return r;
}

int main(void) {
    for (int i = -2; i < 8; i++) {
        report(fall_through(i));
        report(default_first(i));
        report(no_default(i));
        report(goto_into(i));
        report(goto_back(i));
        report(early(i));
        report(empty(i));
    }
    for (int i = 1; i < 14; i++) {
        report(duff(i));
        report(switch_in_loop(i * 2));
        report(goto_out_of_nest(i));
        report(loops(i));
    }
    for (int i = -10; i < 120; i += 7) {
        report(ranges(i));
    }
    report(switch_types(255, 0x100000000ll, -1));
    report(switch_types(0, 0, 0));
    report(dangling(0, 0) * 1000 + dangling(0, 1) * 100 + dangling(1, 0) * 10 + dangling(1, 1));
    for (int a = 0; a < 6; a++) {
        for (int b = 0; b < 2; b++) {
            report(nested_switch(a, b));
        }
    }
    return 0;
}
