/* amount.c - numbers as people say them. */
#include "report/amount.h"

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* By whole numbers: the point of printf's %f is the locale's. */
static void put_fixed(double value, int decimals, const char *unit, char ret[GPUT__AMOUNT_SIZE])
{
    uint64_t scale = decimals == 2 ? 100 : decimals == 1 ? 10 : 1;
    uint64_t scaled = (uint64_t)(value * (double)scale + 0.5);

    if (decimals == 0)
        snprintf(ret, GPUT__AMOUNT_SIZE, "%llu%s", (unsigned long long)scaled, unit);
    else
        snprintf(ret, GPUT__AMOUNT_SIZE, "%llu.%0*llu%s", (unsigned long long)(scaled / scale),
                 decimals, (unsigned long long)(scaled % scale), unit);
}

/* Three digits, as far as they say something. */
static int decimals_of(double value)
{
    return value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2;
}

static void put_bytes(double value, const char *const units[], char ret[GPUT__AMOUNT_SIZE])
{
    size_t unit = 0;

    while (value >= 999.5 && units[unit + 1]) {
        value /= 1000;
        unit++;
    }
    put_fixed(value, unit == 0 ? 0 : decimals_of(value), units[unit], ret);
}

/* "64 cores", "2.1 cores", "0.24 cores": a second digit is noise unless it is all there is. */
static void put_cores(double cores, char ret[GPUT__AMOUNT_SIZE])
{
    put_fixed(cores, cores >= 9.95 ? 0 : cores >= 0.995 ? 1 : 2, " cores", ret);
}

static void put_percent(double percent, char ret[GPUT__AMOUNT_SIZE])
{
    percent = percent > 1e12 ? 1e12 : percent; /* nonsense, but no wider than a label may be */
    put_fixed(percent, percent >= 9.95 || percent < 0.05 ? 0 : 1, " %", ret);
}

void gput__amount(double value, enum gput__amount_kind kind, char ret[GPUT__AMOUNT_SIZE])
{
    static const char *const sizes[] = { " B", " kB", " MB", " GB", " TB", " PB", " EB", NULL };
    static const char *const rates[] = { " B/s",  " kB/s", " MB/s", " GB/s",
                                         " TB/s", " PB/s", " EB/s", NULL };
    static const double most = 1e18; /* above this whole numbers of 64 bits end */

    if (isnan(value)) {
        snprintf(ret, GPUT__AMOUNT_SIZE, "?");
        return;
    }
    value = value < 0 ? 0 : value > most ? most : value;
    switch (kind) {
    case GPUT__AMOUNT_BYTES:
        put_bytes(value, sizes, ret);
        break;
    case GPUT__AMOUNT_BYTE_RATE:
        put_bytes(value, rates, ret);
        break;
    case GPUT__AMOUNT_PERCENT:
        put_percent(value, ret);
        break;
    case GPUT__AMOUNT_CORES:
        put_cores(value / 100, ret);
        break;
    }
}

bool gput__amount_is_nothing(double value, enum gput__amount_kind kind)
{
    char text[GPUT__AMOUNT_SIZE], zero[GPUT__AMOUNT_SIZE];

    gput__amount(value, kind, text);
    gput__amount(0, kind, zero);
    return isnan(value) || strcmp(text, zero) == 0;
}

/* "3 min 20 s"; no second part where it is nothing. */
static void put_parts(uint64_t big, const char *big_unit, uint64_t small, const char *small_unit,
                      char ret[GPUT__AMOUNT_SIZE])
{
    if (small)
        snprintf(ret, GPUT__AMOUNT_SIZE, "%llu %s %llu %s", (unsigned long long)big, big_unit,
                 (unsigned long long)small, small_unit);
    else
        snprintf(ret, GPUT__AMOUNT_SIZE, "%llu %s", (unsigned long long)big, big_unit);
}

/* Below a minute: "12.5 s", but "12 s" where that is all. */
static void put_seconds(double seconds, char ret[GPUT__AMOUNT_SIZE])
{
    uint64_t tenths = (uint64_t)(seconds * 10 + 0.5), ms = (uint64_t)(seconds * 1000 + 0.5);

    if (ms == 0)
        snprintf(ret, GPUT__AMOUNT_SIZE, "0 s");
    else if (ms < 1000)
        snprintf(ret, GPUT__AMOUNT_SIZE, "%llu ms", (unsigned long long)ms);
    else
        put_fixed(seconds, tenths % 10 ? 1 : 0, " s", ret);
}

void gput__amount_time(double seconds, char ret[GPUT__AMOUNT_SIZE])
{
    static const double most = 1e12; /* thirty thousand years */
    uint64_t s, min, h;

    if (isnan(seconds)) {
        snprintf(ret, GPUT__AMOUNT_SIZE, "?");
        return;
    }
    seconds = seconds < 0 ? 0 : seconds > most ? most : seconds;
    /* Rounded first, so that no "59 min 60 s" comes out. */
    s = (uint64_t)(seconds + 0.5);
    min = (uint64_t)(seconds / 60 + 0.5);
    h = (uint64_t)(seconds / 3600 + 0.5);
    if (seconds < 59.95)
        put_seconds(seconds, ret);
    else if (s < 600)
        put_parts(s / 60, "min", s % 60, "s", ret);
    else if (min < 60)
        put_parts(min, "min", 0, "", ret);
    else if (min < 24 * 60)
        put_parts(min / 60, "h", min % 60, "min", ret);
    else
        put_parts(h / 24, "d", h % 24, "h", ret);
}
