/* outliers.c - which of many values stand apart.
 *
 * A fixed number of standard deviations names ranks in every large job, because real noise has heavy
 * tails.  Here a generalized Pareto distribution is fitted to the upper 5 % of the deviations without the
 * topmost, which may be what is searched for and only count as "larger" (censored), and a value stands
 * apart if the fit expects so large a one in one job of thousands only. */
#include "analysis/fleet/outliers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Expected false alarms of one test. */
#define FALSE_ALARMS 2e-4
/* The tail that is fitted, and the topmost part of it that may be what is searched for: first much, then,
 * with what was found set aside, little. */
#define TAIL_SHARE 0.05
#define TOP_SHARE 0.01
#define LESS_TOP_SHARE 0.002
/* With fewer values no tail can be fitted, and one is supposed: between a normal distribution's and that
 * of Student's t with three degrees of freedom. */
enum { FEWEST_FOR_A_FIT = 400, FEWEST_IN_TAIL = 10, FEWEST = 4 };
#define SUPPOSED_TAIL 0.3
#define FALSE_ALARMS_OF_FEW 1e-3
#define HEAVIEST_TAIL 1.0

static int falling(const void *a, const void *b)
{
    double one = *(const double *)a, other = *(const double *)b;

    return (other > one) - (other < one);
}

/* The tail above `base`: its index, 0 for an exponential one, and its scale. */
struct tail {
    double index, scale;
};

/* With theta = index / scale the terms log(1 + theta x) are exponential with the mean `index`; so only
 * theta is to be searched for.  Returns the logarithm of the likelihood. */
static double try_theta(const double *sorted, size_t top, size_t k, double base, double theta,
                        struct tail *ret)
{
    double n = (double)(k - top), sum = 0, censored;

    for (size_t i = top; i < k; i++)
        sum += log1p(theta * (sorted[i] - base));
    censored = (double)top * log1p(theta * (sorted[top] - base));
    ret->index = (sum + censored) / n;
    ret->scale = ret->index / theta;
    return n * log(theta / ret->index) - sum;
}

/* The most likely tail of sorted[top..k), where the values above are only known to be larger; none that
 * is lighter than an exponential one, and heavier than the most likely one by its standard error. */
static struct tail fit_tail(const double *sorted, size_t top, size_t k, double base)
{
    double n = (double)(k - top), mean = (double)top * (sorted[top] - base), best = -INFINITY;
    struct tail tail = { 0, 0 }, tried;

    for (size_t i = top; i < k; i++)
        mean += sorted[i] - base;
    mean /= n;
    for (double step = 1e-3; step < 200; step *= 1.15) {
        double likely = try_theta(sorted, top, k, base, step / mean, &tried);

        if (likely > best) {
            best = likely;
            tail = tried;
        }
    }
    tail.index = fmin(tail.index + (1 + tail.index) / sqrt(n), HEAVIEST_TAIL);
    return tail;
}

static double limit_of_many(const double *sorted, size_t n, size_t top, double least)
{
    size_t k = (size_t)((double)n * TAIL_SHARE);
    double base = fmax(sorted[k], least / 20);
    struct tail tail;

    while (k > 0 && sorted[k - 1] <= base)
        k--; /* equal values, or none worth a word, are no tail */
    if (k < top + FEWEST_IN_TAIL)
        return 0; /* all others are the same: `least` decides */
    tail = fit_tail(sorted, top, k, base);
    return base + tail.scale * expm1(tail.index * log((double)k / FALSE_ALARMS)) / tail.index;
}

static double limit_of_few(const double *sorted, size_t n, double least)
{
    double quarter = (double)n / 4, base = fmax(sorted[(size_t)quarter], least / 10);

    return base * pow(quarter / FALSE_ALARMS_OF_FEW, SUPPOSED_TAIL);
}

static size_t count_above(const double *sorted, size_t n, double limit)
{
    size_t i = 0;

    while (i < n && sorted[i] > limit)
        i++;
    return i;
}

double gput__outliers_above(const double *deviation, size_t n, double least)
{
    double *sorted = malloc((n + 1) * sizeof(*sorted)), limit = INFINITY;
    size_t known = 0, found;

    for (size_t i = 0; sorted && i < n; i++)
        if (deviation[i] >= 0)
            sorted[known++] = deviation[i];
    if (known >= FEWEST) {
        qsort(sorted, known, sizeof(*sorted), falling);
        if (known < FEWEST_FOR_A_FIT) {
            limit = limit_of_few(sorted, known, least);
        } else {
            limit = limit_of_many(sorted, known, 1 + (size_t)((double)known * TOP_SHARE), least);
            found = count_above(sorted, known, limit);
            found += 1 + (size_t)((double)known * LESS_TOP_SHARE);
            if (found < (size_t)((double)known * TAIL_SHARE) / 2)
                limit = limit_of_many(sorted, known, found, least);
        }
        limit = fmax(limit, least);
    }
    free(sorted);
    return limit;
}
