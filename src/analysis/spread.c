/* spread.c - medians, and how far from them values lie. */
#include "analysis/spread.h"

#include <math.h>
#include <stdlib.h>

#include "base/median.h"

/* Of a normal distribution. */
#define DEVIATION_PER_MAD 1.4826
#define MEDIAN_VARIANCE 1.5708 /* of the median of many values, by that of a mean: pi / 2 */

/* Beyond so many deviations a value is an outlier (Iglewicz and Hoaglin), */
#define OUTLIER 3.5
/* and a difference is more than noise. */
#define NOISE 3.0

enum { END = 5 }; /* of so many values one may be odd at each end */

/* The MAD of few values is too small by so much (Croux and Rousseeuw, 1992). */
static double small_sample(size_t n)
{
    static const double factors[] = {
        0, 0, 1.196, 1.495, 1.363, 1.206, 1.200, 1.140, 1.129, 1.107
    };

    return n < sizeof(factors) / sizeof(*factors) ? factors[n] : (double)n / ((double)n - 0.8);
}

void gput__spread_of(const double *values, size_t n, struct gput__spread *ret)
{
    double *known = malloc((n + 1) * sizeof(*known));
    size_t k = 0;

    *ret = (struct gput__spread){ 0, NAN, NAN, NAN, NAN, NAN, NAN };
    for (size_t i = 0; known && i < n; i++)
        if (!isnan(values[i]))
            known[k++] = values[i];
    if (k > 0) {
        ret->n = k;
        ret->median = gput__median(known, k);
        ret->low = known[0];
        ret->high = known[k - 1];
        ret->inner_low = known[k / END];
        ret->inner_high = known[k - 1 - k / END];
    }
    for (size_t i = 0; i < k; i++)
        known[i] = fabs(known[i] - ret->median);
    if (k > 1)
        ret->deviation = DEVIATION_PER_MAD * small_sample(k) * gput__median(known, k);
    free(known);
}

bool gput__spread_is_outlier(const struct gput__spread *s, double value, double least)
{
    double distance = fabs(value - s->median);

    return s->n >= GPUT__SPREAD_RUNS && distance > OUTLIER * s->deviation && distance > least;
}

static double variance_of_median(size_t n)
{
    return n < GPUT__SPREAD_RUNS ? 1 / (double)n : MEDIAN_VARIANCE / (double)n;
}

/* How far the medians lie apart where the inner values of the groups just touch. */
static double overlap_of(const struct gput__spread *a, const struct gput__spread *b)
{
    const struct gput__spread *low = a->median <= b->median ? a : b, *high = low == a ? b : a;

    return (low->inner_high - low->median) + (high->median - high->inner_low);
}

/* One spread for both groups, so that a group whose values happen to lie together does not count as one
 * without any. */
double gput__spread_noise(const struct gput__spread *a, const struct gput__spread *b)
{
    double squares = 0, weight = 0, noise;

    if (a->n == 0 || b->n == 0)
        return NAN;
    for (int i = 0; i < 2; i++) {
        const struct gput__spread *s = i ? b : a;

        if (s->n < GPUT__SPREAD_RUNS)
            continue;
        squares += ((double)s->n - 1) * s->deviation * s->deviation;
        weight += (double)s->n - 1;
    }
    if (!(weight > 0))
        return NAN;
    noise = NOISE * sqrt(squares / weight * (variance_of_median(a->n) + variance_of_median(b->n)));
    return noise > overlap_of(a, b) ? noise : overlap_of(a, b);
}
