/* test_amount.c - numbers as people say them. */
#include "report/text/amount.h"

#include <locale.h>
#include <math.h>
#include <stdbool.h>
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
    says(12.4e6, GPUT__AMOUNT_RATE, "12.4 MB/s");
    says(-5, GPUT__AMOUNT_BYTES, "0 B");
    says(NAN, GPUT__AMOUNT_BYTES, "unknown");
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
    says_time(NAN, "unknown");
    says_time(-1, "0 s");
}

typedef const char *(*formatter)(double value, char *ret);

static bool reads(formatter format, double value, const char *wanted)
{
    char text[GPUT__AMOUNT_SIZE];

    if (!strcmp(format(value, text), wanted))
        return true;
    printf("# %.17g: %s, not %s\n", value, text, wanted);
    return false;
}

static void figures(void)
{
    OK(reads(gput__amount_bytes, 0, "0 B") && reads(gput__amount_bytes, 999, "999 B") &&
           reads(gput__amount_bytes, 1000, "1.00 kB") &&
           reads(gput__amount_bytes, 1.2449e9, "1.24 GB") &&
           reads(gput__amount_bytes, 99.96e6, "100 MB") &&
           reads(gput__amount_bytes, 9.996e6, "10.0 MB") &&
           reads(gput__amount_bytes, 999.6e6, "1.00 GB") &&
           reads(gput__amount_bytes, 2.5e12, "2.50 TB"),
       "bytes, with three digits that count");
    OK(reads(gput__amount_rate, 12.5e6, "12.5 MB/s"), "bytes a second");
    OK(reads(gput__amount_percent, 0, "0 %") && reads(gput__amount_percent, 0.44, "0.4 %") &&
           reads(gput__amount_percent, 9.96, "10 %") && reads(gput__amount_percent, 62.4, "62 %"),
       "percent");
    OK(reads(gput__amount_usd, 12.5, "$12.50") && reads(gput__amount_usd, 0, "$0.00") &&
           reads(gput__amount_usd, 0.0042, "$0.0042") &&
           reads(gput__amount_usd, 9.2e-5, "$0.000092"),
       "dollars");
    OK(reads(gput__amount_number, 8, "8") && reads(gput__amount_number, 0.824, "0.82") &&
           reads(gput__amount_number, 12345.6, "12,346"),
       "numbers");
    OK(reads(gput__amount_count, 1234567, "1,234,567") && reads(gput__amount_count, 999, "999") &&
           reads(gput__amount_count, -1000, "-1,000"),
       "counts, in groups of three");
    OK(reads(gput__amount_energy, 350, "350 J") && reads(gput__amount_energy, 3414, "3.41 kJ") &&
           reads(gput__amount_energy, 44280, "12.3 Wh") &&
           reads(gput__amount_energy, 4.32e6, "1.20 kWh"),
       "energy");
}

static void exact_times(void)
{
    OK(reads(gput__amount_seconds, 0.0125, "12.5 ms") &&
           reads(gput__amount_seconds, 0.12, "120 ms") &&
           reads(gput__amount_seconds, 3.4249, "3.42 s") &&
           reads(gput__amount_seconds, 59.94, "59.9 s"),
       "short times");
    OK(reads(gput__amount_seconds, 59.96, "1 min") &&
           reads(gput__amount_seconds, 200, "3 min 20 s") &&
           reads(gput__amount_seconds, 3599.7, "1 h") &&
           reads(gput__amount_seconds, 5400, "1 h 30 min") &&
           reads(gput__amount_seconds, 1.0008e6, "11 d 14 h"),
       "long ones have two parts, and no part of 60");
    OK(reads(gput__amount_utc, 1700000000, "2023-11-14 22:13:20 UTC") &&
           reads(gput__amount_iso, 1700000000, "2023-11-14T22:13:20Z"),
       "moments");
}

static void what_is_not_known(void)
{
    static const formatter all[] = { gput__amount_bytes,  gput__amount_rate,  gput__amount_seconds,
                                     gput__amount_number, gput__amount_count, gput__amount_percent,
                                     gput__amount_energy, gput__amount_usd,   gput__amount_utc,
                                     gput__amount_iso };
    bool good = true;

    for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++)
        good = good && reads(all[i], NAN, "unknown") && reads(all[i], INFINITY, "unknown");
    OK(good, "what is no number is unknown, not zero");
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
    OK(reads(gput__amount_seconds, 3.4249, "3.42 s") && reads(gput__amount_usd, 12.5, "$12.50"),
       "in any locale");
    setlocale(LC_ALL, "C");
}

int main(void)
{
    bytes();
    shares();
    times();
    figures();
    exact_times();
    what_is_not_known();
    the_point_is_a_point();
    return DONE();
}
