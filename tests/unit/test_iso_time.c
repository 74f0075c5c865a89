/* test_iso_time.c - moments as ISO 8601 has them. */
#include "base/text/iso_time.h"

#include <math.h>
#include <string.h>

#include "tap.h"

static void moments_as_text(void)
{
    char text[GPUT__ISO_TIME];

    OK(!strcmp(gput__iso_time(INT64_C(1700001000123456789), text),
               "2023-11-14T22:30:00.123456+00:00"),
       "a moment, with its zone: %s", text);
    OK(!strcmp(gput__iso_time(0, text), "1970-01-01T00:00:00.000000+00:00"), "the first one");
    OK(!strcmp(gput__iso_time(-1, text), ""), "before it there is none");
}

static void texts_as_moments(void)
{
    static const struct {
        const char *text;
        double seconds;
    } good[] = {
        { "2023-11-14T22:30:00.5+00:00", 1700001000.5 },
        { "2023-11-14T22:30:00Z", 1700001000 },
        { "2023-11-15T00:00:00+01:30", 1700001000 },
        { "2023-11-14T21:30:00-01:00", 1700001000 },
        { "2024-02-29T00:00:00Z", 1709164800 },
    };
    static const char *const bad[] = { "",
                                       "2023-11-14",
                                       "2023-11-14T22:30:00",
                                       "2023-11-14 22:30:00Z",
                                       "2023-11-14T22:30:00Zx",
                                       "2023-11-14T22:30:00+1:00",
                                       "2023-11-14T22:30:00+01:000",
                                       "now" };

    for (size_t i = 0; i < sizeof(good) / sizeof(*good); i++)
        OK(fabs(gput__iso_time_read(good[i].text) - good[i].seconds) < 1e-6, "%s", good[i].text);
    for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
        OK(isnan(gput__iso_time_read(bad[i])), "'%s' is none", bad[i]);
}

static void there_and_back(void)
{
    char text[GPUT__ISO_TIME];
    int right = 0;

    for (int64_t s = 0; s < 1000; s++) {
        int64_t ns = s * INT64_C(4102444800999999) + s * 1000;

        right += fabs(gput__iso_time_read(gput__iso_time(ns, text)) - (double)ns / 1e9) < 2e-6;
    }
    OK(right == 1000, "a thousand moments come back: %d", right);
}

int main(void)
{
    moments_as_text();
    texts_as_moments();
    there_and_back();
    return DONE();
}
