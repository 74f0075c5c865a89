/* thin.c - a long series made short without losing its peaks. */
#include "report/html/thin.h"

#include <math.h>
#include <stdint.h>

size_t gput__thin_start(size_t n, size_t n_buckets, size_t i)
{
    return (size_t)((uint64_t)i * n / n_buckets);
}

void gput__thin(const double *value, size_t n, size_t n_buckets, struct gput__thinned *ret)
{
    for (size_t i = 0; i < n_buckets; i++) {
        size_t end = gput__thin_start(n, n_buckets, i + 1), n_known = 0;
        double low = NAN, high = NAN, sum = 0;

        for (size_t k = gput__thin_start(n, n_buckets, i); k < end; k++) {
            if (isnan(value[k]))
                continue;
            low = n_known && low < value[k] ? low : value[k];
            high = n_known && high > value[k] ? high : value[k];
            sum += value[k];
            n_known++;
        }
        ret->low[i] = low;
        ret->high[i] = high;
        ret->mean[i] = n_known ? sum / (double)n_known : NAN;
    }
}
