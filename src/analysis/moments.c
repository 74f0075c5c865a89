/* moments.c - minimum, maximum, mean and standard deviation of values that come by and by.
 *
 * Sums are compensated (Neumaier), and squares are those of distances from the mean of a portion,
 * joined as Chan, Golub and LeVeque do: large values that vary little lose no digits. */
#include "analysis/moments.h"

#include <math.h>

static void add_to_sum(struct gput__moments *m, double value)
{
    double sum = m->sum + value;

    m->lost += fabs(m->sum) >= fabs(value) ? (m->sum - sum) + value : (value - sum) + m->sum;
    m->sum = sum;
}

/* Without the origin. */
static double mean_of(const struct gput__moments *m)
{
    return (m->sum + m->lost) / (double)m->n;
}

/* The moments of a portion that is there as a whole: the mean first, then the distances. */
static struct gput__moments of_portion(double origin, const double *values, size_t n)
{
    struct gput__moments m = { .origin = origin, .n = n, .min = values[0], .max = values[0] };
    double mean, drift = 0;

    for (size_t i = 0; i < n; i++) {
        add_to_sum(&m, values[i] - origin);
        m.min = values[i] < m.min ? values[i] : m.min;
        m.max = values[i] > m.max ? values[i] : m.max;
    }
    mean = mean_of(&m);
    for (size_t i = 0; i < n; i++) {
        double distance = (values[i] - origin) - mean;

        m.squares += distance * distance;
        drift += distance; /* zero but for the rounding of the mean */
    }
    m.squares -= drift * drift / (double)n;
    return m;
}

void gput__moments_add(struct gput__moments *m, const double *values, size_t n)
{
    struct gput__moments portion;

    if (n == 0)
        return;
    portion = of_portion(m->origin, values, n);
    gput__moments_merge(m, &portion);
}

void gput__moments_merge(struct gput__moments *m, const struct gput__moments *other)
{
    double distance, a = (double)m->n, b = (double)other->n;

    if (other->n == 0)
        return;
    if (m->n == 0) {
        *m = *other;
        return;
    }
    distance = mean_of(other) - mean_of(m);
    m->squares += other->squares + distance * distance * (a * b / (a + b));
    add_to_sum(m, other->sum);
    m->lost += other->lost;
    m->min = other->min < m->min ? other->min : m->min;
    m->max = other->max > m->max ? other->max : m->max;
    m->n += other->n;
}

struct gput_stats gput__moments_stats(const struct gput__moments *m)
{
    struct gput_stats s = { .min = NAN, .max = NAN, .mean = NAN, .std = NAN };

    if (m->n == 0)
        return s;
    s.min = m->min;
    s.max = m->max;
    s.mean = m->origin + mean_of(m);
    s.mean = s.mean < s.min ? s.min : s.mean > s.max ? s.max : s.mean;
    s.std = m->min == m->max || m->squares <= 0 ? 0 : sqrt(m->squares / (double)m->n);
    s.total = (double)m->n * m->origin + m->sum + m->lost;
    return s;
}
