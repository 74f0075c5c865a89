/* atod.c - decimal text as the nearest double, fast, in any locale. */
#include "base/text/atod.h"

#include <locale.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* The parts of a number: digits * 10^exponent. */
struct decimal {
    uint64_t digits;
    int exponent;
    bool is_long; /* more digits than `digits` holds */
    bool is_negative;
};

/* More digits than this may not fit 64 bits. */
enum { MOST_DIGITS = 19, HUGE_EXPONENT = 100000 };

/* Both factors and so the one rounding are exact up to here, see Clinger, "How to Read Floating
 * Point Numbers Accurately". */
#define LARGEST_EXACT (UINT64_C(1) << 53)
static const double exact_powers[] = { 1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                       1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                       1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22 };

static inline bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Four at a time: each multiplication of `digits` waits for the one before. */
static const char *parse_digits(const char *p, uint64_t *digits)
{
    uint64_t d = *digits;

    for (; is_digit(p[0]) && is_digit(p[1]) && is_digit(p[2]) && is_digit(p[3]); p += 4)
        d = 10000 * d +
            (uint64_t)(1000 * (p[0] - '0') + 100 * (p[1] - '0') + 10 * (p[2] - '0') + (p[3] - '0'));
    for (; is_digit(*p); p++)
        d = 10 * d + (uint64_t)(*p - '0');
    *digits = d;
    return p;
}

/* "e+16" behind the digits; what is none is left where it is. */
static const char *parse_exponent(const char *p, int *exponent)
{
    bool is_negative = p[1] == '-';
    const char *q = p + 1 + (p[1] == '-' || p[1] == '+');
    int value = 0;

    if (!is_digit(*q))
        return p;
    for (; is_digit(*q); q++)
        value = value < HUGE_EXPONENT ? 10 * value + (*q - '0') : value;
    *exponent += is_negative ? -value : value;
    return q;
}

static const char *parse_decimal(const char *p, struct decimal *ret)
{
    struct decimal d = { .is_negative = *p == '-' };
    const char *first, *point = NULL;
    ptrdiff_t n;

    p += *p == '-' || *p == '+';
    first = p;
    p = parse_digits(p, &d.digits);
    n = p - first;
    if (*p == '.') {
        point = p++;
        p = parse_digits(p, &d.digits);
        n = p - first - 1;
        d.exponent = (int)(point + 1 - p);
    }
    if (n == 0)
        return NULL;
    for (; n > MOST_DIGITS && (*first == '0' || *first == '.'); first++)
        n -= *first == '0';
    d.is_long = n > MOST_DIGITS;
    if (*p == 'e' || *p == 'E')
        p = parse_exponent(p, &d.exponent);
    *ret = d;
    return p;
}

/* Of small exponents, without a call. */
static double power_of_two(int exponent)
{
    uint64_t bits = (uint64_t)(1023 + exponent) << 52;
    double value;

    memcpy(&value, &bits, sizeof(value));
    return value;
}

/* digits / 10^k for 0 < k <= 19, rounded once: the quotient has at least 63 bits, and what is left
 * of the division stands in its lowest one, so that the conversion rounds it as it should. */
static double divided(uint64_t digits, int k)
{
    uint64_t power = (uint64_t)exact_powers[k];
    int a = __builtin_clzll(digits), b = __builtin_clzll(power);
    unsigned __int128 numerator;
    uint64_t quotient;

    power <<= b;
    numerator = (unsigned __int128)(digits << a) << 63;
    quotient = (uint64_t)(numerator / power);
    quotient |= (unsigned __int128)quotient * power != numerator;
    return (double)quotient * power_of_two(b - a - 63);
}

/* Of a text that is known to be a number; without its sign. */
static double by_library(const char *text)
{
    locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0); /* not allocated: glibc has it */
    double value = strtod_l(text + (*text == '-' || *text == '+'), NULL, plain);

    freelocale(plain);
    return value;
}

const char *gput__atod(const char *text, double *ret)
{
    struct decimal d;
    const char *end = parse_decimal(text, &d);
    double value;

    if (!end)
        return NULL;
    if (d.is_long || d.exponent > 22 || d.exponent < -22)
        value = by_library(text);
    else if (d.digits <= LARGEST_EXACT && d.exponent < 0)
        value = (double)d.digits / exact_powers[-d.exponent];
    else if (d.digits <= LARGEST_EXACT)
        value = (double)d.digits * exact_powers[d.exponent];
    else if (d.exponent == 0)
        value = (double)d.digits;
    else if (d.exponent < 0 && d.exponent >= -19)
        value = divided(d.digits, -d.exponent);
    else
        value = by_library(text);
    *ret = d.is_negative ? -value : value;
    return end;
}
