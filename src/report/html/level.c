/* level.c - the lines of a report at some fineness, as codes. */
#include "report/html/level.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "report/html/pack.h"

int gput__level_make(struct gput__level *l, const struct gput__level_source *s, size_t most)
{
    *l = (struct gput__level){ .n = s->n < most ? s->n : most, .is_thin = s->n > most };
    l->of.low = malloc(l->n * sizeof(*l->of.low));
    l->of.high = malloc(l->n * sizeof(*l->of.high));
    l->of.mean = malloc(l->n * sizeof(*l->of.mean));
    l->code = malloc(3 * l->n * sizeof(*l->code));
    l->ticks = malloc(l->n * sizeof(*l->ticks));
    return l->of.low && l->of.high && l->of.mean && l->code && l->ticks ? 0 : -ENOMEM;
}

void gput__level_free(struct gput__level *l)
{
    free(l->of.low);
    free(l->of.high);
    free(l->of.mean);
    free(l->code);
    free(l->ticks);
}

void gput__level_fill_ticks(struct gput__level *l, const struct gput__level_source *s)
{
    for (size_t i = 0; i < l->n; i++) {
        double t = s->time[s->first + gput__thin_start(s->n, l->n, i)] - s->from;

        l->ticks[i] = t > 0 ? (uint32_t)fmin(round(t / s->tick), UINT32_MAX) : 0;
    }
}

/* In the unit of the records. */
static double plain_step(const struct gput__chart *c, const struct gput__line *line, unsigned top)
{
    return gput__pack_step(line->max / line->scale, c->unit == GPUT__CHART_COUNT, top);
}

double gput__level_step(const struct gput__chart *c, const struct gput__line *line, unsigned top)
{
    return line->scale * plain_step(c, line, top);
}

void gput__level_fill_codes(struct gput__level *l, const struct gput__level_source *s,
                            const struct gput__chart *c, const struct gput__line *line,
                            unsigned top)
{
    double step = plain_step(c, line, top);

    gput__thin(line->value + s->first, s->n, l->n, &l->of);
    gput__pack_codes(l->of.low, l->n, step, top, l->code);
    gput__pack_codes(l->of.high, l->n, step, top, l->code + l->n);
    gput__pack_codes(l->of.mean, l->n, step, top, l->code + 2 * l->n);
}
