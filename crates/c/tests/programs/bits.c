/* Bit tricks, hashes and number theory: long computations in which any wrong bit shows. */
void report(unsigned long long value);

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned u32;
typedef unsigned long long u64;

static u32 seed = 2463534242u;

static u32 next(void) {
    seed ^= seed << 13;
    seed ^= seed >> 17;
    seed ^= seed << 5;
    return seed;
}

static int population(u64 x) {
    int n = 0;
    for (; x; x &= x - 1) {
        n++;
    }
    return n;
}

static u32 population_fast(u32 x) {
    x = x - ((x >> 1) & 0x55555555);
    x = (x & 0x33333333) + ((x >> 2) & 0x33333333);
    return (((x + (x >> 4)) & 0x0f0f0f0f) * 0x01010101) >> 24;
}

static u32 reverse(u32 x) {
    u32 r = 0;
    for (int i = 0; i < 32; i++, x >>= 1) {
        r = r << 1 | (x & 1);
    }
    return r;
}

static u32 rotate(u32 x, int n) {
    return x << n | x >> (32 - n);
}

static u8 rotate_byte(u8 x, int n) {
    return x << n | x >> (8 - n);
}

static u16 swap_bytes(u16 x) {
    return x << 8 | x >> 8;
}

static int absolute(int x) {
    int mask = x >> 31;
    return (x + mask) ^ mask;
}

static int sign(long long x) {
    return (x > 0) - (x < 0);
}

static u32 murmur(u32 h) {
    h ^= h >> 16;
    h *= 0x85ebca6b;
    h ^= h >> 13;
    h *= 0xc2b2ae35;
    h ^= h >> 16;
    return h;
}

static u64 fnv(u64 value) {
    u64 hash = 14695981039346656037ull;
    for (int i = 0; i < 8; i++) {
        hash ^= (u8)(value >> i * 8);
        hash *= 1099511628211ull;
    }
    return hash;
}

static u32 crc(u32 crc, u8 byte) {
    crc ^= byte;
    for (int k = 0; k < 8; k++) {
        crc = crc & 1 ? crc >> 1 ^ 0xedb88320u : crc >> 1;
    }
    return crc;
}

static u32 square_root(u64 n) {
    u64 low = 0, high = 1ull << 32;
    while (high - low > 1) {
        u64 middle = low + (high - low) / 2;
        if (middle * middle <= n) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

static u32 power(u32 base, u32 exponent, u32 modulus) {
    u64 r = 1, b = base % modulus;
    for (; exponent; exponent >>= 1) {
        if (exponent & 1) {
            r = r * b % modulus;
        }
        b = b * b % modulus;
    }
    return r;
}

static int collatz(u32 n) {
    int steps = 0;
    while (n != 1) {
        n = n & 1 ? 3 * n + 1 : n >> 1;
        steps++;
    }
    return steps;
}

static int is_prime(int n) {
    if (n < 2) {
        return 0;
    }
    for (int d = 2; d * d <= n; d++) {
        if (n % d == 0) {
            return 0;
        }
    }
    return 1;
}

static int saturating_add(int a, int b) {
    int sum = a + b;
    if (a >= 0 == b >= 0 && sum >= 0 != a >= 0) {
        return a < 0 ? -2147483647 - 1 : 2147483647;
    }
    return sum;
}

static int day_of_week(int y, int m, int d) {
    y -= m < 3;
    int shift = m == 1 ? 0 : m == 2 ? 3 : m == 3 ? 2 : m == 4 ? 5 : m == 5 ? 0 : m == 6 ? 3 : m == 7 ? 5
                : m == 8 ? 1 : m == 9 ? 4 : m == 10 ? 6 : m == 11 ? 2 : 4;
    return (y + y / 4 - y / 100 + y / 400 + shift + d) % 7;
}

int main(void) {
    u32 check = 0xffffffff;
    for (int i = 0; i < 20; i++) {
        u32 x = next();
        u64 y = (u64)x << 32 | next();
        report(population(y) * 100 + population_fast(x));
        report(reverse(x));
        report(rotate(x, i + 1));
        report(rotate_byte(x, i % 7 + 1));
        report(swap_bytes(x));
        report(absolute(x));
        report(sign(y) + sign((int)x) * 10);
        report(murmur(x));
        report(fnv(y));
        report(check = crc(check, x));
        report(square_root(y));
        report(power(x, next(), 1000003));
        report(saturating_add(x, next()));
        report((long long)y / (int)x);
        report((long long)y % (int)x);
        report(y / x);
        report(y % x);
        report((int)x * (long long)(int)next());
        report((short)x * (short)next());
        report((signed char)x / (signed char)(next() | 1));
    }
    report(collatz(27));
    int primes = 0;
    for (int i = 0; i < 200; i++) {
        primes += is_prime(i) ? i : 0;
    }
    report(primes);
    report(day_of_week(2024, 2, 29));
    report(day_of_week(1900, 1, 1));
    report(absolute(-2147483647 - 1));
    return 0;
}
