/* iso_time.c - moments as ISO 8601 has them. */
#include "base/text/iso_time.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#define NS_PER_S INT64_C(1000000000)

const char *gput__iso_time(int64_t real_ns, char ret[GPUT__ISO_TIME])
{
    time_t seconds = (time_t)(real_ns / NS_PER_S);
    char day[24];
    struct tm tm;

    ret[0] = '\0';
    if (real_ns < 0 || !gmtime_r(&seconds, &tm) ||
        strftime(day, sizeof(day), "%Y-%m-%dT%H:%M:%S", &tm) == 0)
        return ret;
    snprintf(ret, GPUT__ISO_TIME, "%s.%06d+00:00", day, (int)(real_ns % NS_PER_S / 1000));
    return ret;
}

/* `n` digits, and then `end` if it is no NUL. */
static bool parse_digits(const char **p, int n, char end, int *ret)
{
    *ret = 0;
    for (; n > 0; n--, (*p)++) {
        if (**p < '0' || **p > '9')
            return false;
        *ret = 10 * *ret + (**p - '0');
    }
    if (end && **p != end)
        return false;
    *p += end != '\0';
    return true;
}

static double parse_fraction(const char **p)
{
    double value = 0, unit = 1;

    if (**p != '.')
        return 0;
    for ((*p)++; **p >= '0' && **p <= '9'; (*p)++)
        value += (unit /= 10) * (**p - '0');
    return value;
}

/* Seconds to the east. */
static bool parse_zone(const char **p, int *ret)
{
    int sign = **p == '-' ? -1 : 1, hours, minutes;

    *ret = 0;
    if (strcmp(*p, "Z") == 0)
        return true;
    if (**p != '+' && **p != '-')
        return false;
    (*p)++;
    if (!parse_digits(p, 2, ':', &hours) || !parse_digits(p, 2, '\0', &minutes) || **p)
        return false;
    *ret = sign * (hours * 3600 + minutes * 60);
    return true;
}

double gput__iso_time_read(const char *text)
{
    struct tm tm = { 0 };
    double fraction;
    int zone;

    if (!parse_digits(&text, 4, '-', &tm.tm_year) || !parse_digits(&text, 2, '-', &tm.tm_mon) ||
        !parse_digits(&text, 2, 'T', &tm.tm_mday) || !parse_digits(&text, 2, ':', &tm.tm_hour) ||
        !parse_digits(&text, 2, ':', &tm.tm_min) || !parse_digits(&text, 2, '\0', &tm.tm_sec))
        return NAN;
    fraction = parse_fraction(&text);
    if (!parse_zone(&text, &zone))
        return NAN;
    tm.tm_year -= 1900;
    tm.tm_mon -= 1;
    return (double)timegm(&tm) - zone + fraction;
}
