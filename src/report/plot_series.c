/* plot_series.c - what is drawn of a run: for each chart the best series that is known. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "report/plot_parts.h"

#define CYAN "36"
#define GREEN "32"
#define YELLOW "33"
#define MAGENTA "35"
#define BLUE "34"
#define OF_MACHINE " of the machine"

struct candidate {
    enum gput__plot_slot slot;
    enum gput__metric metric;
    const char *name, *whose;
    enum gput__amount_kind kind;
    const char *colour;
};

/* Of each slot the first that is known is drawn: the job's before the machine's. */
static const struct candidate candidates[] = {
    { GPUT__PLOT_RAM, GPUT__COMBINED_RAM, "RAM", "", GPUT__AMOUNT_BYTES, CYAN },
    { GPUT__PLOT_RAM, GPUT__JOB_PSS, "RAM", "", GPUT__AMOUNT_BYTES, CYAN },
    { GPUT__PLOT_RAM, GPUT__MAIN_RAM, "RAM", "", GPUT__AMOUNT_BYTES, CYAN },
    { GPUT__PLOT_RAM, GPUT__SYSTEM_RAM, "RAM, all", OF_MACHINE, GPUT__AMOUNT_BYTES, CYAN },
    { GPUT__PLOT_CPU, GPUT__COMBINED_CPU, "CPU", "", GPUT__AMOUNT_CORES, GREEN },
    { GPUT__PLOT_CPU, GPUT__JOB_CPU, "CPU", "", GPUT__AMOUNT_CORES, GREEN },
    { GPUT__PLOT_CPU, GPUT__MAIN_CPU, "CPU", "", GPUT__AMOUNT_CORES, GREEN },
    { GPUT__PLOT_CPU, GPUT__SYSTEM_CPU, "CPU, all", OF_MACHINE, GPUT__AMOUNT_CORES, GREEN },
    { GPUT__PLOT_GPU_USE, GPUT__JOB_GPU_PERCENT, "GPU use", "", GPUT__AMOUNT_PERCENT, YELLOW },
    { GPUT__PLOT_GPU_USE, GPUT__GPU_PERCENT, "GPU use", "", GPUT__AMOUNT_PERCENT, YELLOW },
    { GPUT__PLOT_GPU_RAM, GPUT__COMBINED_GPU_RAM, "GPU RAM", "", GPUT__AMOUNT_BYTES, MAGENTA },
    { GPUT__PLOT_GPU_RAM, GPUT__JOB_GPU_RAM, "GPU RAM", "", GPUT__AMOUNT_BYTES, MAGENTA },
    { GPUT__PLOT_GPU_RAM, GPUT__SYSTEM_GPU_RAM, "GPU RAM, all", OF_MACHINE, GPUT__AMOUNT_BYTES,
      MAGENTA },
    { GPUT__PLOT_READ, GPUT__JOB_DISK_READ, "Job reads", "", GPUT__AMOUNT_RATE, BLUE },
    { GPUT__PLOT_READ, GPUT__DISK_READ, "Disk reads", "", GPUT__AMOUNT_RATE, BLUE },
    { GPUT__PLOT_WRITTEN, GPUT__JOB_DISK_WRITE, "Job writes", "", GPUT__AMOUNT_RATE, BLUE },
    { GPUT__PLOT_WRITTEN, GPUT__DISK_WRITE, "Disk writes", "", GPUT__AMOUNT_RATE, BLUE },
    { GPUT__PLOT_RECEIVED, GPUT__NET_RECEIVED, "Net receives", "", GPUT__AMOUNT_RATE, BLUE },
    { GPUT__PLOT_SENT, GPUT__NET_SENT, "Net sends", "", GPUT__AMOUNT_RATE, BLUE },
};

static void scale(struct gput__bins *t, double factor, int n_columns)
{
    t->min *= factor;
    t->max *= factor;
    t->mean *= factor;
    for (int c = 0; c < n_columns; c++) {
        t->columns[c].min *= factor;
        t->columns[c].max *= factor;
        t->columns[c].mean *= factor;
    }
}

/* Kept only if something of it is known. */
static int take(const struct gput__run *run, const struct gput__bins_axis *axis,
                struct gput__plot_series *s, size_t *n)
{
    int r = gput__bins_make(&s->bins, axis, run->series.time, s->values, run->series.n, s->is_rate);

    if (r < 0)
        return r;
    if (s->bins.n_known == 0) {
        gput__bins_free(&s->bins);
        return 0;
    }
    if (s->slot == GPUT__PLOT_GPU_USE) /* of a sum over several the mean is shown */
        scale(&s->bins, 1 / gput__run_n_gpus(run, s->bins.max), axis->n_columns);
    if (s->kind == GPUT__AMOUNT_PERCENT)
        s->full = s->bins.max > 100 ? s->bins.max : 100;
    else
        s->full = s->bins.max;
    ++*n;
    return 0;
}

static bool is_any_busy(const struct gput__plot_series *series, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (series[i].slot == GPUT__PLOT_GPU_USE)
            return series[i].bins.max > 0;
    return true;
}

static int take_gpus(const struct gput__run *run, const struct gput__bins_axis *axis,
                     struct gput__plot_series *ret, size_t *n)
{
    const struct gput__run_series *from = &run->series;
    int r = 0;

    if (from->n_gpus < 2 || !is_any_busy(ret, *n))
        return 0; /* the one is the whole; each of the idle is idle */
    for (size_t i = 0; i < from->n_gpus && i < GPUT__PLOT_MOST_GPUS && r == 0; i++) {
        struct gput__plot_series *s = &ret[*n];

        if (!from->gpus[i].use)
            continue;
        *s = (struct gput__plot_series){ .slot = GPUT__PLOT_GPU,
                                         .whose = "",
                                         .kind = GPUT__AMOUNT_PERCENT,
                                         .colour = YELLOW,
                                         .values = from->gpus[i].use };
        snprintf(s->name, sizeof(s->name), "GPU %u", (unsigned)i);
        r = take(run, axis, s, n);
    }
    return r;
}

int gput__plot_series(const struct gput__run *run, const struct gput__bins_axis *axis,
                      struct gput__plot_series ret[GPUT__PLOT_MOST_SERIES], size_t *ret_n)
{
    int r = 0;

    *ret_n = 0;
    for (size_t i = 0; i < sizeof(candidates) / sizeof(*candidates) && r == 0; i++) {
        const struct candidate *c = &candidates[i];
        struct gput__plot_series *s = &ret[*ret_n];

        if (!run->series.value[c->metric] || (*ret_n > 0 && s[-1].slot == c->slot))
            continue;
        *s = (struct gput__plot_series){ .slot = c->slot,
                                         .whose = c->whose,
                                         .kind = c->kind,
                                         .colour = c->colour,
                                         .values = run->series.value[c->metric] };
        s->is_rate = gput__metrics[c->metric].kind == GPUT__COUNTER;
        snprintf(s->name, sizeof(s->name), "%s", c->name);
        r = take(run, axis, s, ret_n);
    }
    return r < 0 ? r : take_gpus(run, axis, ret, ret_n);
}
