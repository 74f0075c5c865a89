/* ages.c - how long ago something was, and when. */
#include "compare/ages.h"

#include "output/say.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double unit_of(const char *name)
{
    static const struct {
        const char *name;
        double seconds;
    } units[] = { { "s", 1 }, { "min", 60 }, { "h", 3600 }, { "d", 86400 }, { "w", 7 * 86400 } };

    for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++)
        if (strcmp(units[i].name, name) == 0)
            return units[i].seconds;
    return 0;
}

static int parse_age(const char *text, double *ret)
{
    size_t n = strspn(text, "0123456789.");
    double unit = unit_of(text + n), number = strtod(text, NULL);

    if (n == 0 || !(unit > 0) || !(number > 0) || !isfinite(number))
        return -1;
    *ret = number * unit;
    return 0;
}

int age_parse(const char *text, double *ret_seconds, struct refusal *ret_why)
{
    if (parse_age(text, ret_seconds) == 0)
        return 0;
    return refuse(ret_why, "'%s' is no age such as 12h, 7d or 4w", text);
}

int moment_parse(const char *text, double *ret_since_1970, struct refusal *ret_why)
{
    static const char *const forms[] = { "%Y-%m-%d", "%Y-%m-%dT%H:%M", "%Y-%m-%dT%H:%M:%S" };
    double age;

    if (parse_age(text, &age) == 0) {
        *ret_since_1970 = (double)time(NULL) - age;
        return 0;
    }
    for (size_t i = 0; i < sizeof(forms) / sizeof(*forms); i++) {
        struct tm date = { .tm_isdst = -1 };
        const char *end = strptime(text, forms[i], &date);

        if (!end || *end)
            continue;
        *ret_since_1970 = (double)mktime(&date);
        return 0;
    }
    return refuse(ret_why, "'%s' is no age such as 7d, and no date such as 2026-11-01", text);
}
