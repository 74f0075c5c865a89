/* amount.c - quantities as people say them: "1.24 GB", "62 %", "3 min 20 s", "$0.0042". */
#include "report/text/amount.h"

#include <math.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

#include "base/text/print.h"

#define MOST_SECONDS 1e12 /* thirty thousand years */

static const char *unknown(char *ret)
{
    return strcpy(ret, "unknown");
}

static const char *print(char *ret, int decimals, double value, const char *unit)
{
    gput__snprintf(ret, GPUT__AMOUNT_SIZE, "%.*f%s", decimals, value, unit);
    return ret;
}

/* How many decimals leave three digits that count, and none that do not. */
static int decimals_of(double value)
{
    value = fabs(value);
    return value >= 99.95 || value == 0 ? 0 : value >= 9.995 ? 1 : 2;
}

static const char *in_steps(double value, const char *const *units, char *ret)
{
    if (!isfinite(value))
        return unknown(ret);
    for (; units[1] && fabs(value) >= 999.5; units++)
        value /= 1000;
    return print(ret, decimals_of(value), value, *units);
}

/* There is no half of a byte. */
static const char *in_bytes(double bytes, const char *const *units, char *ret)
{
    if (isfinite(bytes) && fabs(bytes) < 999.5)
        return print(ret, 0, bytes, *units);
    return in_steps(bytes, units, ret);
}

const char *gput__amount_bytes(double bytes, char *ret)
{
    static const char *const units[] = { " B", " kB", " MB", " GB", " TB", " PB", " EB", NULL };

    return in_bytes(bytes, units, ret);
}

const char *gput__amount_rate(double bytes, char *ret)
{
    static const char *const units[] = { " B/s",  " kB/s", " MB/s", " GB/s",
                                         " TB/s", " PB/s", " EB/s", NULL };

    return in_bytes(bytes, units, ret);
}

const char *gput__amount_percent(double percent, char *ret)
{
    if (!isfinite(percent))
        return unknown(ret);
    return print(ret, fabs(percent) >= 9.95 || fabs(percent) < 0.05 ? 0 : 1, percent, " %");
}

const char *gput__amount_count(double number, char *ret)
{
    char digits[GPUT__AMOUNT_SIZE];
    size_t n, at = 0;

    if (!isfinite(number) || fabs(number) > 1e18)
        return unknown(ret);
    n = strlen(print(digits, 0, number, ""));
    for (size_t i = 0; i < n; i++) {
        if (i > 0 && digits[i - 1] != '-' && (n - i) % 3 == 0)
            ret[at++] = ',';
        ret[at++] = digits[i];
    }
    ret[at] = '\0';
    return ret;
}

const char *gput__amount_share(double share, char *ret)
{
    if (share > 0 && share < 0.0005)
        return strcpy(ret, "less than 0.1 %");
    return gput__amount_percent(100 * share, ret);
}

const char *gput__amount_number(double number, char *ret)
{
    if (!isfinite(number))
        return unknown(ret);
    if (fabs(number) >= 999.5)
        return gput__amount_count(number, ret);
    return print(ret, number == floor(number) ? 0 : decimals_of(number), number, "");
}

const char *gput__amount_usd(double usd, char *ret)
{
    int decimals = usd >= 0.1 || usd == 0 ? 2 : usd >= 0.001 ? 4 : 6;

    if (!isfinite(usd))
        return unknown(ret);
    gput__snprintf(ret, GPUT__AMOUNT_SIZE, "$%.*f", decimals, usd);
    return ret;
}

const char *gput__amount_energy(double joules, char *ret)
{
    static const char *const units[] = { " J", " kJ", NULL };
    static const char *const watt_hours[] = { " Wh", " kWh", " MWh", NULL };

    return joules < 3600 ? in_steps(joules, units, ret) : in_steps(joules / 3600, watt_hours, ret);
}

/* --- time ----------------------------------------------------------------------------------- */

/* "3 min 20 s", rounded as a whole, so that no "59 min 60 s" comes out; no second part where it is
 * nothing. */
static const char *in_parts(double seconds, double small, const char *small_unit, double ratio,
                            const char *big_unit, char *ret)
{
    uint64_t parts = (uint64_t)(seconds / small + 0.5), big = parts / (uint64_t)ratio,
             rest = parts % (uint64_t)ratio;

    if (rest)
        gput__snprintf(ret, GPUT__AMOUNT_SIZE, "%llu %s %llu %s", (unsigned long long)big, big_unit,
                       (unsigned long long)rest, small_unit);
    else
        gput__snprintf(ret, GPUT__AMOUNT_SIZE, "%llu %s", (unsigned long long)big, big_unit);
    return ret;
}

/* From a minute on. */
static const char *in_long_parts(double seconds, char *ret)
{
    if (seconds < 3599.5)
        return in_parts(seconds, 1, "s", 60, "min", ret);
    if (seconds < 86400 - 30)
        return in_parts(seconds, 60, "min", 60, "h", ret);
    return in_parts(fmin(seconds, MOST_SECONDS), 3600, "h", 24, "d", ret);
}

const char *gput__amount_seconds(double seconds, char *ret)
{
    if (!isfinite(seconds) || seconds < 0)
        return unknown(ret);
    if (seconds < 0.9995)
        return print(ret, decimals_of(seconds * 1000), seconds * 1000, " ms");
    if (seconds < 59.95)
        return print(ret, decimals_of(seconds), seconds, " s");
    return in_long_parts(seconds, ret);
}

const char *gput__amount_time(double seconds, char *ret)
{
    double minutes, tenths;

    if (isnan(seconds))
        return unknown(ret);
    seconds = seconds > 0 ? seconds : 0;
    minutes = floor(seconds / 60 + 0.5);
    tenths = floor(seconds * 10 + 0.5);
    if (seconds < 0.0005)
        return strcpy(ret, "0 s");
    if (seconds < 0.9995)
        return print(ret, 0, seconds * 1000, " ms");
    if (seconds < 59.95)
        return print(ret, fmod(tenths, 10) > 0 ? 1 : 0, tenths / 10, " s");
    if (seconds >= 599.5 && minutes < 60)
        return print(ret, 0, minutes, " min");
    /* An hour as a whole, too, where its seconds are not said. */
    return in_long_parts(minutes >= 60 ? minutes * 60 : seconds, ret);
}

static const char *moment(double since_1970, const char *form, char *ret)
{
    struct tm tm;
    time_t t;

    if (!(fabs(since_1970) < 1e14)) /* NAN too */
        return unknown(ret);
    t = (time_t)since_1970;
    if (!gmtime_r(&t, &tm) || strftime(ret, GPUT__AMOUNT_SIZE, form, &tm) == 0)
        return unknown(ret);
    return ret;
}

const char *gput__amount_utc(double since_1970, char *ret)
{
    return moment(since_1970, "%Y-%m-%d %H:%M:%S UTC", ret);
}

const char *gput__amount_iso(double since_1970, char *ret)
{
    return moment(since_1970, "%Y-%m-%dT%H:%M:%SZ", ret);
}

const char *gput__amount_figure(double value, enum gput__figure_unit unit, char *ret)
{
    static const char *(*const in[])(double, char *) = {
        [GPUT__IN_BYTES] = gput__amount_bytes,    [GPUT__IN_SECONDS] = gput__amount_seconds,
        [GPUT__IN_JOULES] = gput__amount_energy,  [GPUT__IN_PERCENT] = gput__amount_percent,
        [GPUT__IN_NUMBERS] = gput__amount_number,
    };

    return in[unit](value, ret);
}

/* --- labels --------------------------------------------------------------------------------- */

/* "64 cores", "2.1 cores", "0.24 cores": a second digit is noise unless it is all there is. */
static const char *in_cores(double cores, char *ret)
{
    return print(ret, cores >= 9.95 ? 0 : cores >= 0.995 ? 1 : 2, cores, " cores");
}

const char *gput__amount(double value, enum gput__amount_kind kind, char *ret)
{
    if (isnan(value))
        return unknown(ret);
    /* Nonsense, but no wider than a label may be. */
    value = value > 0 ? fmin(value, kind == GPUT__AMOUNT_PERCENT ? 1e12 : 1e18) : 0;
    switch (kind) {
    case GPUT__AMOUNT_BYTES:
        return gput__amount_bytes(value, ret);
    case GPUT__AMOUNT_RATE:
        return gput__amount_rate(value, ret);
    case GPUT__AMOUNT_PERCENT:
        return gput__amount_percent(value, ret);
    case GPUT__AMOUNT_CORES:
        return in_cores(value / 100, ret);
    case GPUT__AMOUNT_NUMBER:
        return gput__amount_number(value, ret);
    }
    return unknown(ret);
}

bool gput__amount_is_nothing(double value, enum gput__amount_kind kind)
{
    char text[GPUT__AMOUNT_SIZE], zero[GPUT__AMOUNT_SIZE];

    return isnan(value) ||
           strcmp(gput__amount(value, kind, text), gput__amount(0, kind, zero)) == 0;
}
