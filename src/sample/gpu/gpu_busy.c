/* gpu_busy.c - how busy GPUs were, each and the chosen ones together: steps added up over time. */
#include "sample/gpu/gpu_busy.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"

int gput__gpu_busy_open(struct gput__gpu_busy *b, unsigned n, int64_t start_us)
{
    *b = (struct gput__gpu_busy){ .n = n, .start_us = start_us, .swept_us = start_us };
    if (n == 0)
        return 0;
    b->lanes = calloc(n, sizeof(*b->lanes));
    return b->lanes ? 0 : -ENOMEM;
}

void gput__gpu_busy_close(struct gput__gpu_busy *b)
{
    for (unsigned i = 0; b->lanes && i < b->n; i++)
        free(b->lanes[i].steps);
    free(b->lanes);
    *b = (struct gput__gpu_busy){ 0 };
}

void gput__gpu_busy_count(struct gput__gpu_busy *b, unsigned lane, bool counts)
{
    b->lanes[lane].counts = counts;
}

void gput__gpu_busy_restart(struct gput__gpu_busy *b, int64_t start_us)
{
    b->start_us = b->swept_us = start_us;
}

int gput__gpu_busy_add(struct gput__gpu_busy *b, unsigned lane, int64_t until_us, double percent)
{
    struct gput__gpu_lane *l = &b->lanes[lane];

    if (until_us <= l->newest_us || until_us <= b->swept_us)
        return 0;
    if (GPUT__GROW(l->steps, l->cap, l->n + 1) < 0)
        return -ENOMEM;
    l->steps[l->n++] = (struct gput__gpu_step){ until_us, percent };
    l->newest_us = until_us;
    return 0;
}

/* Where the next step of any device ends after `at`, but not behind `until`. */
static int64_t next_edge(const struct gput__gpu_busy *b, int64_t at, int64_t until)
{
    for (unsigned i = 0; i < b->n; i++)
        for (size_t k = 0; k < b->lanes[i].n; k++)
            if (b->lanes[i].steps[k].until_us > at) {
                if (b->lanes[i].steps[k].until_us < until)
                    until = b->lanes[i].steps[k].until_us;
                break;
            }
    return until;
}

static double level(const struct gput__gpu_lane *l, int64_t until)
{
    for (size_t k = 0; k < l->n; k++)
        if (l->steps[k].until_us >= until)
            return l->steps[k].percent;
    return l->n ? l->steps[l->n - 1].percent : l->held;
}

static void drop_steps(struct gput__gpu_lane *l, int64_t until)
{
    size_t done = 0;

    while (done < l->n && l->steps[done].until_us <= until)
        l->held = l->steps[done++].percent;
    memmove(l->steps, l->steps + done, (l->n - done) * sizeof(*l->steps));
    l->n -= done;
}

static void sweep_to(struct gput__gpu_busy *b, int64_t until)
{
    while (b->swept_us < until) {
        int64_t edge = next_edge(b, b->swept_us, until);
        double width = (double)(edge - b->swept_us), sum = 0;

        for (unsigned i = 0; i < b->n; i++) {
            struct gput__gpu_lane *l = &b->lanes[i];
            double percent = level(l, edge);

            l->integral += percent * width;
            l->max = percent > l->max ? percent : l->max;
            sum += l->counts ? percent : 0;
        }
        b->integral += sum * width;
        b->max = sum > b->max ? sum : b->max;
        b->swept_us = edge;
        for (unsigned i = 0; i < b->n; i++)
            if (b->lanes[i].n)
                drop_steps(&b->lanes[i], edge);
    }
}

/* A device that is silent for so long (lost, or of a kind without figures) is not waited for, or
 * the steps of the others would pile up. */
#define SILENT_US (30 * INT64_C(1000000))

void gput__gpu_busy_sweep(struct gput__gpu_busy *b)
{
    int64_t newest = 0, until;

    for (unsigned i = 0; i < b->n; i++)
        if (b->lanes[i].newest_us > newest)
            newest = b->lanes[i].newest_us;
    until = newest;
    for (unsigned i = 0; i < b->n; i++)
        if (b->lanes[i].newest_us < until && b->lanes[i].newest_us > newest - SILENT_US)
            until = b->lanes[i].newest_us;
    /* One without a value so far may still begin. */
    for (unsigned i = 0; i < b->n; i++)
        if (!b->lanes[i].newest_us && until > newest - SILENT_US)
            until = newest - SILENT_US;
    sweep_to(b, until);
}

void gput__gpu_busy_finish(struct gput__gpu_busy *b, int64_t end_us)
{
    if (b->n)
        sweep_to(b, end_us);
}

double gput__gpu_busy_mean(const struct gput__gpu_busy *b)
{
    double width = (double)(b->swept_us - b->start_us);

    return width > 0 ? b->integral / width : 0;
}

double gput__gpu_lane_mean(const struct gput__gpu_busy *b, unsigned lane)
{
    double width = (double)(b->swept_us - b->start_us);

    return width > 0 ? b->lanes[lane].integral / width : 0;
}
