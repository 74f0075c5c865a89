/* fleet.c - what the trackers of jobs on many nodes left. */
#include "model/fleet/fleet.h"

#include <math.h>
#include <stdlib.h>

void gput__fleet_series_free(struct gput__fleet_series *s)
{
    free(s->t);
    for (int i = 0; i < GPUT__FLEET_COLUMNS; i++)
        free(s->value[i]);
    *s = (struct gput__fleet_series){ 0 };
}

/* The places of the lowest and of the highest of value[from..to); false: none is known. */
static bool find_extremes(const float *value, uint32_t from, uint32_t to, uint32_t *ret_low,
                          uint32_t *ret_high)
{
    bool any = false;

    for (uint32_t i = from; i < to; i++) {
        if (!isfinite(value[i]))
            continue;
        if (!any || value[i] < value[*ret_low])
            *ret_low = i;
        if (!any || value[i] > value[*ret_high])
            *ret_high = i;
        any = true;
    }
    return any;
}

static void thin_column(float *value, uint32_t n, uint32_t pairs)
{
    for (uint32_t k = 0; k < pairs; k++) {
        uint32_t from = (uint32_t)((uint64_t)n * k / pairs);
        uint32_t to = (uint32_t)((uint64_t)n * (k + 1) / pairs), low = from, high = from;
        bool any = find_extremes(value, from, to, &low, &high);
        float first = any ? value[low < high ? low : high] : NAN;
        float last = any ? value[low < high ? high : low] : NAN;

        value[2 * k] = first;
        value[2 * k + 1] = last;
    }
}

void gput__fleet_series_thin(struct gput__fleet_series *s, uint32_t most)
{
    uint32_t pairs = most / 2;

    if (s->n <= most || pairs == 0)
        return;
    for (int i = 0; i < GPUT__FLEET_COLUMNS; i++)
        if (s->value[i])
            thin_column(s->value[i], s->n, pairs);
    for (uint32_t k = 0; k < pairs; k++) {
        float first = s->t[(uint64_t)s->n * k / pairs];
        float last = s->t[(uint64_t)s->n * (k + 1) / pairs - 1];

        s->t[2 * k] = first;
        s->t[2 * k + 1] = last;
    }
    s->n = 2 * pairs;
    for (int i = -1; i < GPUT__FLEET_COLUMNS; i++) {
        float **at = i < 0 ? &s->t : &s->value[i];
        float *less = *at ? realloc(*at, s->n * sizeof(float)) : NULL;

        *at = less ? less : *at;
    }
}

void gput__fleet_file_free(struct gput__fleet_file *f)
{
    for (uint32_t i = 0; i < f->n_ranks; i++) {
        free(f->ranks[i].gpus);
        gput__fleet_series_free(&f->ranks[i].series);
    }
    free(f->ranks);
    free(f->gpus);
    gput__fleet_series_free(&f->series);
}

void gput__fleet_free(struct gput__fleet *fleet)
{
    for (size_t i = 0; i < fleet->n; i++)
        gput__fleet_file_free(&fleet->files[i]);
    for (size_t i = 0; i < fleet->n_faults; i++)
        free(fleet->faults[i].text);
    free(fleet->files);
    free(fleet->faults);
    gput__names_free(&fleet->names);
    *fleet = (struct gput__fleet){ 0 };
}
