/* trend.c - how a figure moved from run to run. */
#include "analysis/trend.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/median.h"

/* Older runs say nothing of the next one, and slopes are a square of them. */
enum { NEWEST = 200, FEWEST = 5 };
/* Standard deviations of the count of rises less falls: chance alone has it once in a hundred. */
#define MORE_THAN_CHANCE 2.576

/* All slopes from one run to another; returns rises less falls. */
static double list_slopes(const double *y, size_t n, double *slopes)
{
    double balance = 0;
    size_t k = 0;

    for (size_t i = 0; i < n; i++)
        for (size_t j = i + 1; j < n; j++) {
            slopes[k++] = (y[j] - y[i]) / (double)(j - i);
            balance += (y[j] > y[i]) - (y[j] < y[i]);
        }
    return balance;
}

static double slope_of(const double *y, size_t n)
{
    double *slopes = malloc(n * (n - 1) / 2 * sizeof(*slopes)), balance, deviation, slope;

    if (!slopes)
        return 0;
    balance = list_slopes(y, n, slopes);
    deviation = sqrt((double)(n * (n - 1) * (2 * n + 5)) / 18);
    slope = gput__median(slopes, n * (n - 1) / 2);
    free(slopes);
    return fabs(balance) - 1 > MORE_THAN_CHANCE * deviation ? slope : 0;
}

/* The median of where each run says that the line is, once it has reached the next one. */
static double next_of(const double *y, size_t n, double slope)
{
    double *at = malloc(n * sizeof(*at)), next = NAN;

    for (size_t i = 0; at && i < n; i++)
        at[i] = y[i] + slope * (double)(n - i);
    if (at)
        next = gput__median(at, n);
    free(at);
    return next;
}

void gput__trend_of(const double *values, size_t n, struct gput__trend *ret)
{
    double known[NEWEST];
    size_t k = 0;

    for (size_t i = n; i > 0 && k < NEWEST; i--)
        if (!isnan(values[i - 1]))
            known[NEWEST - ++k] = values[i - 1];
    *ret = (struct gput__trend){ .n = k, .next = NAN };
    if (k == 0)
        return;
    if (k >= FEWEST)
        ret->per_run = slope_of(known + NEWEST - k, k);
    ret->next = next_of(known + NEWEST - k, k, ret->per_run);
}

double gput__percentile(const double *values, size_t n, double share)
{
    double *known = malloc((n + 1) * sizeof(*known)), value = NAN;
    size_t k = 0, at;

    for (size_t i = 0; known && i < n; i++)
        if (!isnan(values[i]))
            known[k++] = values[i];
    if (k > 0) {
        gput__sort_doubles(known, k);
        at = (size_t)ceil(share * (double)k);
        value = known[at > 0 ? at - 1 : 0];
    }
    free(known);
    return value;
}
