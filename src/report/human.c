/* human.c - quantities as people read them: "1.24 GB", "3 min 20 s", "62 %". */
#include "report/human.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#define UNKNOWN "unknown"

/* How many decimals leave three digits that count, and none that do not. */
static int decimals(double v)
{
    v = fabs(v);
    return v >= 99.95 || v == 0 ? 0 : v >= 9.995 ? 1 : 2;
}

static const char *unknown(char *ret)
{
    return strcpy(ret, UNKNOWN);
}

static const char *in_steps(double v, const char *const *units, const char *behind, char *ret)
{
    if (!isfinite(v))
        return unknown(ret);
    for (; units[1] && fabs(v) >= 999.5; units++)
        v /= 1000;
    snprintf(ret, GPUT__HUMAN_SIZE, "%.*f %s%s", decimals(v), v, *units, behind);
    return ret;
}

static const char *const byte_units[] = { "B", "kB", "MB", "GB", "TB", "PB", NULL };

const char *gput__human_bytes(double bytes, char *ret)
{
    if (isfinite(bytes) && fabs(bytes) < 999.5) {
        snprintf(ret, GPUT__HUMAN_SIZE, "%.0f B", bytes);
        return ret;
    }
    return in_steps(bytes, byte_units, "", ret);
}

const char *gput__human_rate(double bytes, char *ret)
{
    return in_steps(bytes, byte_units, "/s", ret);
}

static const char *two_parts(double seconds, double big, const char *big_name, double small,
                             const char *small_name, char *ret)
{
    long parts = lround(seconds / small), ratio = lround(big / small);

    if (parts % ratio)
        snprintf(ret, GPUT__HUMAN_SIZE, "%ld %s %ld %s", parts / ratio, big_name, parts % ratio,
                 small_name);
    else
        snprintf(ret, GPUT__HUMAN_SIZE, "%ld %s", parts / ratio, big_name);
    return ret;
}

const char *gput__human_seconds(double s, char *ret)
{
    if (!isfinite(s) || s < 0)
        return unknown(ret);
    if (s < 0.9995)
        snprintf(ret, GPUT__HUMAN_SIZE, "%.*f ms", decimals(s * 1000), s * 1000);
    else if (s < 59.95)
        snprintf(ret, GPUT__HUMAN_SIZE, "%.*f s", decimals(s), s);
    else if (s < 3599.5)
        return two_parts(s, 60, "min", 1, "s", ret);
    else if (s < 86400 - 30)
        return two_parts(s, 3600, "h", 60, "min", ret);
    else
        return two_parts(s, 86400, "d", 3600, "h", ret);
    return ret;
}

const char *gput__human_percent(double percent, char *ret)
{
    if (!isfinite(percent))
        return unknown(ret);
    snprintf(ret, GPUT__HUMAN_SIZE, "%.*f %%", percent != 0 && fabs(percent) < 9.95 ? 1 : 0,
             percent);
    return ret;
}

const char *gput__human_count(double number, char *ret)
{
    char digits[GPUT__HUMAN_SIZE];
    size_t n, at = 0;

    if (!isfinite(number) || fabs(number) > 1e18)
        return unknown(ret);
    n = (size_t)snprintf(digits, sizeof(digits), "%.0f", number);
    for (size_t i = 0; i < n; i++) {
        if (i > 0 && digits[i - 1] != '-' && (n - i) % 3 == 0)
            ret[at++] = ',';
        ret[at++] = digits[i];
    }
    ret[at] = '\0';
    return ret;
}

const char *gput__human_number(double number, char *ret)
{
    if (!isfinite(number))
        return unknown(ret);
    if (fabs(number) >= 999.5)
        return gput__human_count(number, ret);
    snprintf(ret, GPUT__HUMAN_SIZE, "%.*f", number == floor(number) ? 0 : decimals(number), number);
    return ret;
}

const char *gput__human_energy(double joules, char *ret)
{
    static const char *const units[] = { "J", "kJ", NULL };
    static const char *const watt_hours[] = { "Wh", "kWh", "MWh", NULL };

    return joules < 3600 ? in_steps(joules, units, "", ret)
                         : in_steps(joules / 3600, watt_hours, "", ret);
}

static const char *moment(double since_1970, const char *form, char *ret)
{
    struct tm tm;
    time_t t;

    if (!(fabs(since_1970) < 1e14)) /* NAN too */
        return unknown(ret);
    t = (time_t)since_1970;
    if (!gmtime_r(&t, &tm) || strftime(ret, GPUT__HUMAN_SIZE, form, &tm) == 0)
        return unknown(ret);
    return ret;
}

const char *gput__human_utc(double since_1970, char *ret)
{
    return moment(since_1970, "%Y-%m-%d %H:%M:%S UTC", ret);
}

const char *gput__human_iso(double since_1970, char *ret)
{
    return moment(since_1970, "%Y-%m-%dT%H:%M:%SZ", ret);
}

const char *gput__human_usd(double usd, char *ret)
{
    int digits = usd >= 0.1 || usd == 0 ? 2 : usd >= 0.001 ? 4 : 6;

    snprintf(ret, GPUT__HUMAN_SIZE, "$%.*f", digits, usd);
    return ret;
}
