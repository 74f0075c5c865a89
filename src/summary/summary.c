/* summary.c - samples in, numbers out: maxima of the gauges, maxima and means of the rates. */
#include "summary/summary.h"

#include <math.h>

#include "base/clock.h"
#include "model/levels.h"

/* The kernel tells of CPU time in ticks of so many seconds; what is nearer to whole cores than that is
 * them. */
#define TICK_S 0.01
/* Over a shorter time a tick is too much of it. */
#define SHORTEST_USE_NS (100 * GPUT__NS_PER_MS)
/* As little of the memory left as gput.h says of near_memory_seconds. */
#define NEAR_MEMORY 0.9

void gput__summary_begin(struct gput__summary *s, int64_t period_ns, double most_percent,
                         const struct gput__sample *first)
{
    *s = (struct gput__summary){
        .period_ns = period_ns,
        .most_percent = most_percent,
        .first = *first,
        .before_last = *first,
        .last = *first,
        .use = { .at_ns = first->boot_ns, .cpu_s = first->value[GPUT__COMBINED_CPU] },
    };
    gput__summary_poll(s, first);
}

void gput__summary_raise(struct gput__summary *s, enum gput__metric gauge, double value)
{
    if (!gput__summary_has(s, gauge) || value > s->max[gauge])
        s->max[gauge] = value;
    gput__metric_set_add(&s->known, gauge);
}

/* Here and below the sample is asked before the table of metrics: it lies in the caches, and of most
 * rows of the table an ordinary run knows nothing. */
void gput__summary_poll(struct gput__summary *s, const struct gput__sample *sample)
{
    for (int m = 0; m < GPUT__N_METRICS; m++) {
        if (gput__sample_has(sample, (enum gput__metric)m) &&
            gput__metric_is_gauge((enum gput__metric)m))
            gput__summary_raise(s, (enum gput__metric)m, sample->value[m]);
        if (gput__metric_set_has(&sample->parts, (enum gput__metric)m))
            gput__metric_set_add(&s->parts, (enum gput__metric)m);
    }
}

static void add_interval(struct gput__summary *s, const struct gput__sample *from,
                         const struct gput__sample *to)
{
    for (int m = 0; m < GPUT__N_METRICS; m++) {
        double rate;

        if (!gput__sample_has(to, (enum gput__metric)m) ||
            gput__metric_is_gauge((enum gput__metric)m))
            continue;
        rate = gput__sample_rate(from, to, (enum gput__metric)m);
        if (gput__metrics[m].unit == GPUT__SECONDS && rate > s->most_percent)
            rate = s->most_percent;
        gput__summary_raise(s, (enum gput__metric)m, rate);
    }
}

void gput__summary_record(struct gput__summary *s, const struct gput__sample *sample)
{
    gput__summary_poll(s, sample);
    if (s->n_records > 0)
        add_interval(s, &s->before_last, &s->last);
    s->before_last = s->last;
    s->last = *sample;
    s->n_records++;
}

void gput__summary_end(struct gput__summary *s, const struct gput__sample *sample)
{
    gput__summary_poll(s, sample);
    if (s->n_records > 0 && (sample->boot_ns - s->last.boot_ns) * 2 < s->period_ns) {
        add_interval(s, &s->before_last, sample);
    } else {
        add_interval(s, &s->before_last, &s->last);
        add_interval(s, &s->last, sample);
    }
    s->last = *sample;
}

/* Use above that of all cores is of a later interval: it was told too early. */
void gput__summary_use_rest(struct gput__summary *s, const struct gput__sample *sample,
                            double memory_limit)
{
    struct gput__summary_use *use = &s->use;
    double seconds = gput__seconds(sample->boot_ns - use->at_ns), cores;

    if (!(seconds > 0) || !gput__sample_has(sample, GPUT__COMBINED_CPU))
        return;
    cores = (sample->value[GPUT__COMBINED_CPU] - use->cpu_s) / seconds;
    cores = fmin(fmax(cores, 0), s->most_percent / 100);
    use->cpu_s += cores * seconds;
    use->at_ns = sample->boot_ns;
    if (fabs(cores - rint(cores)) <= rint(cores) * TICK_S / seconds)
        cores = rint(cores);
    use->cpu_seconds_at[gput__level_of(cores)] += seconds;
    if (gput__sample_has(sample, GPUT__COMBINED_RAM) &&
        sample->value[GPUT__COMBINED_RAM] >= NEAR_MEMORY * memory_limit)
        use->near_memory_s += seconds;
}

void gput__summary_use(struct gput__summary *s, const struct gput__sample *sample,
                       double memory_limit)
{
    if (sample->boot_ns - s->use.at_ns >= SHORTEST_USE_NS)
        gput__summary_use_rest(s, sample, memory_limit);
}

double gput__summary_mean(const struct gput__summary *s, enum gput__metric counter)
{
    double rate = gput__sample_rate(&s->first, &s->last, counter);

    /* ticks are coarse in a short run */
    return gput__metrics[counter].unit == GPUT__SECONDS && rate > s->most_percent ? s->most_percent
                                                                                  : rate;
}
