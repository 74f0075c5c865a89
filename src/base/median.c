/* median.c - numbers in their order, and the one in the middle. */
#include "base/median.h"

#include <stdlib.h>

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

void gput__sort_doubles(double *values, size_t n)
{
    qsort(values, n, sizeof(*values), by_value);
}

double gput__median(double *values, size_t n)
{
    gput__sort_doubles(values, n);
    return n % 2 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
}
