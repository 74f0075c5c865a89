/* summary.c - samples in, numbers out: maxima of the gauges, maxima and means of the rates. */
#include "summary/summary.h"

void gput__summary_begin(struct gput__summary *s, int64_t period_ns, double most_percent,
                         const struct gput__sample *first)
{
    *s = (struct gput__summary){
        .period_ns = period_ns,
        .most_percent = most_percent,
        .first = *first,
        .before_last = *first,
        .last = *first,
    };
    gput__summary_look(s, first);
}

void gput__summary_raise(struct gput__summary *s, enum gput__metric gauge, double value)
{
    if (!gput__summary_has(s, gauge) || value > s->max[gauge])
        s->max[gauge] = value;
    gput__metric_set_add(&s->known, gauge);
}

void gput__summary_look(struct gput__summary *s, const struct gput__sample *sample)
{
    for (int m = 0; m < GPUT__N_METRICS; m++) {
        if (gput__metric_is_gauge((enum gput__metric)m) &&
            gput__sample_has(sample, (enum gput__metric)m))
            gput__summary_raise(s, (enum gput__metric)m, sample->value[m]);
        if (gput__metric_set_has(&sample->parts, (enum gput__metric)m))
            gput__metric_set_add(&s->parts, (enum gput__metric)m);
    }
}

static void take_interval(struct gput__summary *s, const struct gput__sample *from,
                          const struct gput__sample *to)
{
    for (int m = 0; m < GPUT__N_METRICS; m++) {
        double rate;

        if (gput__metric_is_gauge((enum gput__metric)m) ||
            !gput__sample_has(to, (enum gput__metric)m))
            continue;
        rate = gput__sample_rate(from, to, (enum gput__metric)m);
        if (gput__metrics[m].unit == GPUT__SECONDS && rate > s->most_percent)
            rate = s->most_percent;
        gput__summary_raise(s, (enum gput__metric)m, rate);
    }
}

void gput__summary_record(struct gput__summary *s, const struct gput__sample *sample)
{
    gput__summary_look(s, sample);
    if (s->n_records > 0)
        take_interval(s, &s->before_last, &s->last);
    s->before_last = s->last;
    s->last = *sample;
    s->n_records++;
}

void gput__summary_end(struct gput__summary *s, const struct gput__sample *sample)
{
    gput__summary_look(s, sample);
    if (s->n_records > 0 && (sample->boot_ns - s->last.boot_ns) * 2 < s->period_ns) {
        take_interval(s, &s->before_last, sample);
    } else {
        take_interval(s, &s->before_last, &s->last);
        take_interval(s, &s->last, sample);
    }
    s->last = *sample;
}

double gput__summary_mean(const struct gput__summary *s, enum gput__metric counter)
{
    double rate = gput__sample_rate(&s->first, &s->last, counter);

    /* ticks are coarse in a short run */
    return gput__metrics[counter].unit == GPUT__SECONDS && rate > s->most_percent ? s->most_percent
                                                                                  : rate;
}
