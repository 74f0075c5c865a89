/* sample.c - the values of all metrics at one moment. */
#include "model/sample.h"

#include <math.h>

void gput__sample_set_part(struct gput__sample *s, enum gput__metric m, double value)
{
    gput__sample_set(s, m, value);
    gput__metric_set_add(&s->parts, m);
}

void gput__sample_add(struct gput__sample *s, const struct gput__sample *from)
{
    for (int m = 0; m < GPUT__N_METRICS; m++) {
        if (!gput__sample_has(from, (enum gput__metric)m))
            continue;
        gput__sample_set(s, (enum gput__metric)m, from->value[m]);
        if (gput__metric_set_has(&from->parts, (enum gput__metric)m))
            gput__metric_set_add(&s->parts, (enum gput__metric)m);
    }
}

double gput__sample_gain(const struct gput__sample *from, const struct gput__sample *to,
                         enum gput__metric counter)
{
    double gain = to->value[counter] - from->value[counter];

    return gain > 0 && gput__sample_has(from, counter) && gput__sample_has(to, counter) ? gain : 0;
}

double gput__sample_rate(const struct gput__sample *from, const struct gput__sample *to,
                         enum gput__metric counter)
{
    double seconds = (double)(to->boot_ns - from->boot_ns) / 1e9;
    double gain = gput__sample_gain(from, to, counter);

    if (seconds <= 0)
        return 0;
    return gput__metric_rate_unit(counter) * gain / seconds;
}

double gput__sample_over(const struct gput__sample *before, const struct gput__sample *now,
                         enum gput__metric m)
{
    if (!gput__sample_has(now, m))
        return NAN;
    if (gput__metric_is_gauge(m))
        return now->value[m];
    if (!gput__sample_has(before, m))
        return NAN;
    return gput__metric_is_rate(m) ? gput__sample_rate(before, now, m)
                                   : gput__sample_gain(before, now, m);
}
