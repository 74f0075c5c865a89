/* forecast.c - how fast the memory of a job grows at present. */
#include "summary/forecast.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/median.h"

#define SECONDS_SPACING_NS (200 * GPUT__NS_PER_MS)
#define MINUTES_SPACING_NS (6 * GPUT__NS_PER_S)
/* Less than this much growth in a span is noise: buffers, stacks, a page here and there. */
static const double least_growth = 1e6;
/* A fall by less is noise too, as a share of the peak and in bytes. */
static const double noise_share = 0.05, noise_bytes = 4e6;
/* A span shorter than this tells nothing, seconds. */
static const double shortest_s = 1.9;
enum { FEWEST_POINTS = 3, FEWEST_OF_MINUTES = 10 };
/* After a fall use may rise again for so many times as long as it did before, and this long at least,
 * before that is taken for something new. */
enum { PATIENCE = 4 };
#define LEAST_PATIENCE_NS (60 * GPUT__NS_PER_S)

void gput__forecast_begin(struct gput__forecast *f)
{
    *f = (struct gput__forecast){ .seconds.spacing_ns = SECONDS_SPACING_NS,
                                  .minutes.spacing_ns = MINUTES_SPACING_NS };
}

static void add_point(struct gput__forecast_span *s, int64_t ns, double bytes)
{
    if (s->n > 0 && ns - s->at[s->n - 1].ns < s->spacing_ns)
        return;
    if (s->n == GPUT__FORECAST_POINTS)
        memmove(s->at, s->at + 1, --s->n * sizeof(*s->at));
    s->at[s->n].ns = ns;
    s->at[s->n++].bytes = bytes;
}

/* What is known of the growth before is of no use any more. */
static void begin_anew(struct gput__forecast *f, int64_t ns, double bytes)
{
    f->seconds.n = f->minutes.n = 0;
    f->has_fallen = false;
    f->peak = bytes;
    f->peak_ns = f->begun_ns = ns;
}

static bool is_fall(double from, double to)
{
    double noise = from * noise_share;

    return from - to > (noise > noise_bytes ? noise : noise_bytes);
}

static void fall(struct gput__forecast *f, int64_t ns, double bytes)
{
    int64_t patience = PATIENCE * (f->peak_ns - f->begun_ns);

    if (!f->has_fallen || bytes < f->trough)
        f->trough = bytes;
    f->has_fallen = true;
    f->tooth = bytes;
    f->fallen_until_ns = ns + (patience > LEAST_PATIENCE_NS ? patience : LEAST_PATIENCE_NS);
}

/* Whether use that has fallen goes where it has not been: no tooth of a saw. */
static bool is_new_ground(struct gput__forecast *f, int64_t ns, double bytes)
{
    if (bytes < f->trough)
        f->trough = bytes;
    if (bytes > f->tooth)
        f->tooth = bytes;
    return bytes > f->peak + (f->peak - f->trough) / 2 || ns >= f->fallen_until_ns;
}

void gput__forecast_add(struct gput__forecast *f, int64_t ns, double bytes)
{
    if (f->begun_ns == 0)
        begin_anew(f, ns, bytes);
    if (is_fall(f->has_fallen ? f->tooth : f->peak, bytes))
        fall(f, ns, bytes);
    if (f->has_fallen) {
        if (!is_new_ground(f, ns, bytes))
            return;
        begin_anew(f, ns, bytes);
    }
    if (bytes > f->peak) {
        f->peak = bytes;
        f->peak_ns = ns;
    }
    add_point(&f->seconds, ns, bytes);
    add_point(&f->minutes, ns, bytes);
}

/* The median slope between any two of the points from `from` on: bytes a second; 0: that is noise. */
static double growth(const struct gput__forecast_span *s, unsigned from)
{
    double slope[GPUT__FORECAST_POINTS * (GPUT__FORECAST_POINTS - 1) / 2];
    double length, median;
    size_t n = 0;

    if (s->n < from + FEWEST_POINTS)
        return 0;
    length = gput__seconds(s->at[s->n - 1].ns - s->at[from].ns);
    if (length < shortest_s)
        return 0;
    for (unsigned i = from; i < s->n; i++)
        for (unsigned j = i + 1; j < s->n; j++)
            slope[n++] =
                (s->at[j].bytes - s->at[i].bytes) / gput__seconds(s->at[j].ns - s->at[i].ns);
    median = gput__median(slope, n);
    return median * length >= least_growth ? median : 0;
}

/* A leak: it grows in the later half as well, so that what was loaded at first is none. */
static double slow_growth(const struct gput__forecast_span *s)
{
    double whole = s->n < FEWEST_OF_MINUTES ? 0 : growth(s, 0), later;

    if (whole <= 0)
        return 0;
    later = growth(s, s->n / 2);
    return later < whole ? later : whole;
}

double gput__forecast_growth(const struct gput__forecast *f)
{
    double now;

    if (f->has_fallen)
        return 0;
    now = growth(&f->seconds, 0);
    return now > 0 ? now : slow_growth(&f->minutes);
}
