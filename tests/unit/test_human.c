/* test_human.c - quantities as people read them. */
#include "report/human.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "tap.h"

typedef const char *(*formatter)(double value, char *ret);

static bool reads(formatter format, double value, const char *wanted)
{
    char text[GPUT__HUMAN_SIZE];

    if (!strcmp(format(value, text), wanted))
        return true;
    printf("# %.17g: %s, not %s\n", value, text, wanted);
    return false;
}

static void amounts(void)
{
    OK(reads(gput__human_bytes, 0, "0 B") && reads(gput__human_bytes, 999, "999 B") &&
           reads(gput__human_bytes, 1000, "1.00 kB") &&
           reads(gput__human_bytes, 1.2449e9, "1.24 GB") &&
           reads(gput__human_bytes, 99.96e6, "100 MB") &&
           reads(gput__human_bytes, 9.996e6, "10.0 MB") &&
           reads(gput__human_bytes, 999.6e6, "1.00 GB") &&
           reads(gput__human_bytes, 2.5e12, "2.50 TB"),
       "bytes, with three digits that count");
    OK(reads(gput__human_rate, 12.5e6, "12.5 MB/s"), "bytes a second");
    OK(reads(gput__human_percent, 0, "0 %") && reads(gput__human_percent, 0.44, "0.4 %") &&
           reads(gput__human_percent, 9.96, "10 %") && reads(gput__human_percent, 62.4, "62 %"),
       "percent");
    OK(reads(gput__human_usd, 12.5, "$12.50") && reads(gput__human_usd, 0, "$0.00") &&
           reads(gput__human_usd, 0.0042, "$0.0042") && reads(gput__human_usd, 9.2e-5, "$0.000092"),
       "dollars");
    OK(reads(gput__human_number, 8, "8") && reads(gput__human_number, 0.824, "0.82") &&
           reads(gput__human_number, 12345.6, "12,346"),
       "numbers");
    OK(reads(gput__human_count, 1234567, "1,234,567") && reads(gput__human_count, 999, "999") &&
           reads(gput__human_count, -1000, "-1,000"),
       "counts, in groups of three");
    OK(reads(gput__human_energy, 350, "350 J") && reads(gput__human_energy, 3414, "3.41 kJ") &&
           reads(gput__human_energy, 44280, "12.3 Wh") &&
           reads(gput__human_energy, 4.32e6, "1.20 kWh"),
       "energy");
}

static void times(void)
{
    OK(reads(gput__human_seconds, 0.0125, "12.5 ms") &&
           reads(gput__human_seconds, 0.12, "120 ms") &&
           reads(gput__human_seconds, 3.4249, "3.42 s") &&
           reads(gput__human_seconds, 59.94, "59.9 s"),
       "short times");
    OK(reads(gput__human_seconds, 59.96, "1 min") &&
           reads(gput__human_seconds, 200, "3 min 20 s") &&
           reads(gput__human_seconds, 3599.7, "1 h") &&
           reads(gput__human_seconds, 5400, "1 h 30 min") &&
           reads(gput__human_seconds, 1.0008e6, "11 d 14 h"),
       "long ones have two parts, and no part of 60");
    OK(reads(gput__human_utc, 1700000000, "2023-11-14 22:13:20 UTC") &&
           reads(gput__human_iso, 1700000000, "2023-11-14T22:13:20Z"),
       "moments");
}

static void what_is_not_known(void)
{
    static const formatter all[] = { gput__human_bytes,  gput__human_rate,  gput__human_seconds,
                                     gput__human_number, gput__human_count, gput__human_percent,
                                     gput__human_energy, gput__human_utc,   gput__human_iso };
    bool good = true;

    for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++)
        good = good && reads(all[i], NAN, "unknown") && reads(all[i], INFINITY, "unknown");
    OK(good, "what is no number is unknown, not zero");
}

int main(void)
{
    amounts();
    times();
    what_is_not_known();
    return DONE();
}
