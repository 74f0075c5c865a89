/* dtoa.c - doubles as text, exactly as Python's repr() prints them.
 *
 * The C library rounds correctly in both directions, so it finds the digits; where the decimal
 * point goes is decided here, since its sign depends on the locale. */
#include "base/text/dtoa.h"

#include <ctype.h>
#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct decimal {     /* d.ddd x 10^exp, without sign */
    char digits[24]; /* NUL-terminated */
    int n;
    int exp;
};

/* Keeps the digits of `text` up to `end`; a decimal point of any locale falls away. */
static int only_digits(const char *text, const char *end, char *out)
{
    int n = 0;

    for (; text < end; text++)
        if (isdigit((unsigned char)*text))
            out[n++] = *text;
    out[n] = '\0';
    return n;
}

static struct decimal nearest(double v, int n_digits)
{
    struct decimal d;
    char text[64];
    const char *e;

    snprintf(text, sizeof(text), "%.*e", n_digits - 1, v);
    e = strchr(text, 'e');
    d.n = only_digits(text, e, d.digits);
    d.exp = atoi(e + 1); /* NOLINT(cert-err34-c): printf's number */
    return d;
}

static bool reads_back(const struct decimal *d, double v)
{
    char text[64];

    /* a whole number with an exponent: no decimal point, so any locale reads it */
    snprintf(text, sizeof(text), "%se%d", d->digits, d->exp - (d->n - 1));
    return strtod(text, NULL) == v;
}

/* One more in the last place. */
static void next_up(struct decimal *d)
{
    int i = d->n - 1;

    while (i >= 0 && d->digits[i] == '9')
        d->digits[i--] = '0';
    if (i >= 0) {
        d->digits[i]++;
    } else {
        d->digits[0] = '1';
        d->exp++;
    }
}

/* By its bits: frexp() would load libm into every run. */
static bool is_power_of_two(double v)
{
    uint64_t bits;

    memcpy(&bits, &v, sizeof(bits));
    return (bits & ((UINT64_C(1) << (DBL_MANT_DIG - 1)) - 1)) == 0;
}

/* v > 0 and finite */
static struct decimal shortest(double v)
{
    /* A normal number's text of up to 15 digits is unique: if a shorter one reads back, then this
     * is it with zeros behind.  Subnormals have fewer digits to give. */
    int n = v < DBL_MIN ? 1 : DBL_DIG;
    struct decimal d;

    for (; n < DBL_DECIMAL_DIG; n++) {
        d = nearest(v, n);
        if (reads_back(&d, v))
            return d;
        /* Below a power of two the doubles lie twice as dense as above it: the nearest text may
         * belong to the double below, while one farther off, above, still belongs to v. */
        if (is_power_of_two(v)) {
            next_up(&d);
            if (reads_back(&d, v))
                return d;
        }
    }
    return nearest(v, DBL_DECIMAL_DIG);
}

static void strip_zeros(struct decimal *d)
{
    while (d->n > 1 && d->digits[d->n - 1] == '0')
        d->digits[--d->n] = '\0';
}

/* The layouts of repr(): 1.5e-05, 0.0015, 1500.0, 15.25 */
static int lay_out(const struct decimal *d, char *out, size_t size)
{
    int whole = d->exp + 1; /* digits in front of the point */

    if (d->exp < -4 || d->exp >= 16)
        return snprintf(out, size, "%c%s%se%c%02d", d->digits[0], d->n > 1 ? "." : "",
                        d->digits + 1, d->exp < 0 ? '-' : '+', abs(d->exp));
    if (whole <= 0)
        return snprintf(out, size, "0.%.*s%s", -whole, "0000", d->digits);
    if (whole >= d->n)
        return snprintf(out, size, "%s%.*s.0", d->digits, whole - d->n, "0000000000000000");
    return snprintf(out, size, "%.*s.%s", whole, d->digits, d->digits + whole);
}

/* --- whole numbers and short fractions, by arithmetic ----------------------------------------- */

#define MILLION 1000000

/* Below 10^15 whole millionths are at most 15 digits, which no other text of as many or fewer reads
 * back as, and their quotient is the double that strtod() would find.  v >= 0. */
static bool is_whole_millionths(double v, uint64_t *ret)
{
    if (v != 0 && !(v >= 1e-4 && v < 1e9)) /* what is smaller has an exponent */
        return false;
    *ret = (uint64_t)(v * MILLION + 0.5);
    return (double)*ret / MILLION == v;
}

/* The nearest thousandth, unless v is so close to the middle between two that its exact value
 * decides.  v >= 0. */
static bool is_near_thousandth(double v, uint64_t *ret)
{
    double scaled = v * 1000;

    if (!(v < 1e9))
        return false;
    *ret = (uint64_t)(scaled + 0.5);
    return fabs(scaled - (double)(uint64_t)scaled - 0.5) > 1e-3;
}

static size_t print_millionths(uint64_t n, char *out)
{
    char text[24];
    size_t at = sizeof(text), len;
    uint64_t whole = n / MILLION, rest = n % MILLION;
    int places = 6;

    while (places > 1 && rest % 10 == 0) {
        rest /= 10;
        places--;
    }
    for (; places > 0; places--, rest /= 10)
        text[--at] = (char)('0' + rest % 10);
    text[--at] = '.';
    do
        text[--at] = (char)('0' + whole % 10);
    while (whole /= 10);
    len = sizeof(text) - at;
    memcpy(out, text + at, len);
    out[len] = '\0';
    return len;
}

size_t gput__dtoa(double v, char out[32])
{
    int saved_errno = errno; /* strtod() sets it for subnormals */
    struct decimal d;
    uint64_t n;
    char *p = out;

    if (isnan(v))
        return (size_t)snprintf(out, 32, "nan");
    if (signbit(v))
        *p++ = '-';
    if (isinf(v))
        return (size_t)(p - out) + (size_t)snprintf(p, 31, "inf");

    if (is_whole_millionths(fabs(v), &n))
        return (size_t)(p - out) + print_millionths(n, p);
    d = shortest(fabs(v));
    strip_zeros(&d);
    p += lay_out(&d, p, 31);
    errno = saved_errno;
    return (size_t)(p - out);
}

size_t gput__dtoa_round3(double v, char out[32])
{
    char text[64], digits[64];
    uint64_t n;

    if (is_near_thousandth(fabs(v), &n)) {
        *out = '-';
        return (signbit(v) != 0) + print_millionths(n * 1000, out + (signbit(v) != 0));
    }
    if (!(fabs(v) < 0x1p52)) /* from here on all are whole numbers; nan comes along */
        return gput__dtoa(v, out);
    snprintf(text, sizeof(text), "%.3f", fabs(v));
    only_digits(text, text + strlen(text), digits);
    strcat(digits, "e-3");
    return gput__dtoa(copysign(strtod(digits, NULL), v), out);
}
