/* test_amount.c - numbers as people say them. */
#include "report/amount.h"

#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tap.h"

static void says(double value, enum gput__amount_kind kind, const char *want)
{
    char got[GPUT__AMOUNT_SIZE];

    gput__amount(value, kind, got);
    OK(strcmp(got, want) == 0, "%g is '%s', got '%s'", value, want, got);
}

static void says_time(double seconds, const char *want)
{
    char got[GPUT__AMOUNT_SIZE];

    gput__amount_time(seconds, got);
    OK(strcmp(got, want) == 0, "%g seconds are '%s', got '%s'", seconds, want, got);
}

static void bytes(void)
{
    says(0, GPUT__AMOUNT_BYTES, "0 B");
    says(12.4, GPUT__AMOUNT_BYTES, "12 B");
    says(999.4, GPUT__AMOUNT_BYTES, "999 B");
    says(999.5, GPUT__AMOUNT_BYTES, "1.00 kB");
    says(1.2351e9, GPUT__AMOUNT_BYTES, "1.24 GB");
    says(9.996e9, GPUT__AMOUNT_BYTES, "10.0 GB");
    says(99.96e9, GPUT__AMOUNT_BYTES, "100 GB");
    says(999.6e9, GPUT__AMOUNT_BYTES, "1.00 TB");
    says(12.4e6, GPUT__AMOUNT_BYTE_RATE, "12.4 MB/s");
    says(-5, GPUT__AMOUNT_BYTES, "0 B");
    says(NAN, GPUT__AMOUNT_BYTES, "?");
    says(INFINITY, GPUT__AMOUNT_BYTES, "1.00 EB");
}

static void shares(void)
{
    says(62.4, GPUT__AMOUNT_PERCENT, "62 %");
    says(0, GPUT__AMOUNT_PERCENT, "0 %");
    says(0.4, GPUT__AMOUNT_PERCENT, "0.4 %");
    says(9.96, GPUT__AMOUNT_PERCENT, "10 %");
    says(213, GPUT__AMOUNT_CORES, "2.1 cores");
    says(24.4, GPUT__AMOUNT_CORES, "0.24 cores");
    says(99.6, GPUT__AMOUNT_CORES, "1.0 cores");
    says(6400, GPUT__AMOUNT_CORES, "64 cores");
}

static void times(void)
{
    says_time(0, "0 s");
    says_time(0.0004, "0 s");
    says_time(0.25, "250 ms");
    says_time(0.9996, "1 s");
    says_time(1.5, "1.5 s");
    says_time(12, "12 s");
    says_time(59.94, "59.9 s");
    says_time(59.96, "1 min");
    says_time(200, "3 min 20 s");
    says_time(599.6, "10 min");
    says_time(2466, "41 min");
    says_time(3599, "1 h");
    says_time(4320, "1 h 12 min");
    says_time(86399, "1 d");
    says_time(183600, "2 d 3 h");
    says_time(NAN, "?");
    says_time(-1, "0 s");
}

/* A program may have set a locale whose point is a comma. */
static void the_point_is_a_point(void)
{
    static const char *const names[] = { "de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8" };

    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
        if (setlocale(LC_ALL, names[i]))
            break;
    says(1.24e9, GPUT__AMOUNT_BYTES, "1.24 GB");
    says_time(1.5, "1.5 s");
    setlocale(LC_ALL, "C");
}

int main(void)
{
    bytes();
    shares();
    times();
    the_point_is_a_point();
    return DONE();
}
