/* thin.c - a long series made short without losing its peaks. */
#include "report/thin.h"

#include <math.h>
#include <stdint.h>

size_t gput__thin_start(size_t n, size_t n_buckets, size_t i)
{
    return (size_t)((uint64_t)i * n / n_buckets);
}

void gput__thin(const double *value, size_t n, size_t n_buckets, double *ret_low, double *ret_high)
{
    for (size_t i = 0; i < n_buckets; i++) {
        size_t end = gput__thin_start(n, n_buckets, i + 1);
        double low = NAN, high = NAN;

        for (size_t k = gput__thin_start(n, n_buckets, i); k < end; k++) {
            low = fmin(low, value[k]); /* of a number and NAN they give the number */
            high = fmax(high, value[k]);
        }
        ret_low[i] = low;
        ret_high[i] = high;
    }
}
