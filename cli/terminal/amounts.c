/* amounts.c - short words for amounts that change on a screen. */
#include "terminal/amounts.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>

const char *amount_bytes(double bytes, char ret[AMOUNT_SIZE])
{
    static const char *const units[] = { "B", "kB", "MB", "GB", "TB" };
    size_t unit = 0;
    int digits;

    if (isnan(bytes)) {
        snprintf(ret, AMOUNT_SIZE, "?");
        return ret;
    }
    while (bytes >= 999.5 && unit < sizeof(units) / sizeof(*units) - 1) {
        bytes /= 1000;
        unit++;
    }
    digits = unit == 0 || bytes >= 99.95 ? 0 : bytes >= 9.995 ? 1 : 2;
    snprintf(ret, AMOUNT_SIZE, "%.*f %s", digits, bytes, units[unit]);
    return ret;
}

const char *amount_clock(double seconds, char ret[AMOUNT_SIZE])
{
    unsigned long s = seconds > 0 && seconds < 1e15 ? (unsigned long)seconds : 0;

    snprintf(ret, AMOUNT_SIZE, "%lu:%02lu:%02lu", s / 3600, s / 60 % 60, s % 60);
    return ret;
}

const char *amount_span(double seconds, char ret[AMOUNT_SIZE])
{
    static const struct {
        double below, of;
        const char *unit;
    } spans[] = { { 99.5, 1, "s" }, { 99.5 * 60, 60, "min" }, { 48 * 3600, 3600, "h" } };

    for (size_t i = 0; i < sizeof(spans) / sizeof(*spans); i++)
        if (seconds < spans[i].below) {
            double n = seconds / spans[i].of;

            snprintf(ret, AMOUNT_SIZE, "%.*f %s", i > 0 && n < 9.95, n, spans[i].unit);
            return ret;
        }
    snprintf(ret, AMOUNT_SIZE, "%.0f d", seconds / 86400);
    return ret;
}
