/*
 * Two ways to tell a leap year, and a calendar that must never show 30 February.
 *
 * Expected verdict: TRUE. Every path ends, so exploring all of them proves that no check can fail,
 * whatever date is asked for.
 */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static void check(int condition) {
    if (!condition) {
        reach_error();
    }
}

/* The rule as one learns it. */
static int is_leap(int year) {
    if (year % 400 == 0) {
        return 1;
    }
    if (year % 100 == 0) {
        return 0;
    }
    return year % 4 == 0;
}

/* The rule with cheaper arithmetic: divisible by 16 instead of 400, as 25 is known to divide. */
static int is_leap_fast(int year) {
    return (year & (year % 25 == 0 ? 15 : 3)) == 0;
}

static int days_in_month(int year, int month) {
    switch (month) {
    case 4:
    case 6:
    case 9:
    case 11:
        return 30;
    case 2:
        return 28 + is_leap(year);
    default:
        return 31;
    }
}

int main(void) {
    int year = __VERIFIER_nondet_int();
    int month = __VERIFIER_nondet_int();
    int day = __VERIFIER_nondet_int();

    if (year < 1583 || year > 9999) {
        return 1; /* not in the Gregorian calendar, or too far away */
    }
    check(is_leap(year) == is_leap_fast(year));

    if (month < 1 || month > 12 || day < 1 || day > days_in_month(year, month)) {
        return 1; /* no such date */
    }

    /* The day after. */
    day++;
    if (day > days_in_month(year, month)) {
        day = 1;
        month = month == 12 ? 1 : month + 1;
    }
    check(1 <= month && month <= 12);
    check(1 <= day && day <= 31);
    check(!(month == 2 && day == 30));
    check(!(month == 2 && day == 29) || is_leap(year));
    return 0;
}
