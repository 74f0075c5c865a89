/* plot_series.c - what is drawn of a run: for each chart the best series that is known. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "report/plot/plot_parts.h"

#define CYAN "36"
#define GREEN "32"
#define YELLOW "33"
#define MAGENTA "35"
#define BLUE "34"

static const char *const colours[] = {
    [GPUT__PLOT_RAM] = CYAN,        [GPUT__PLOT_CPU] = GREEN,        [GPUT__PLOT_GPU_USE] = YELLOW,
    [GPUT__PLOT_GPU_RAM] = MAGENTA, [GPUT__PLOT_GPU] = YELLOW,       [GPUT__PLOT_READ] = BLUE,
    [GPUT__PLOT_WRITTEN] = BLUE,    [GPUT__PLOT_RECEIVED] = BLUE,    [GPUT__PLOT_SENT] = BLUE,
    [GPUT__PLOT_WAIT_CPU] = BLUE,   [GPUT__PLOT_WAIT_MEMORY] = BLUE, [GPUT__PLOT_WAIT_DISK] = BLUE,
    [GPUT__PLOT_OWN] = BLUE,
};

static enum gput__amount_kind kind_of(enum gput__metric m)
{
    const struct gput__metric_info *info = &gput__metrics[m];

    if (info->kind == GPUT__RATE)
        return gput__metric_is_in_cores(m) ? GPUT__AMOUNT_CORES : GPUT__AMOUNT_PERCENT;
    if (info->unit == GPUT__BYTES || info->unit == GPUT__GPU_BYTES)
        return info->kind == GPUT__GAUGE ? GPUT__AMOUNT_BYTES : GPUT__AMOUNT_RATE;
    return info->unit == GPUT__PERCENT ? GPUT__AMOUNT_PERCENT : GPUT__AMOUNT_NUMBER;
}

/* The metrics of a slot, the best first; of each slot the first that is known is drawn: the job's
 * before the machine's. */
static size_t list_slot(enum gput__plot_slot slot, enum gput__metric ret[GPUT__N_METRICS])
{
    size_t n = 0;

    for (int rank = 0; rank <= 3; rank++)
        for (int m = 0; m < GPUT__N_METRICS; m++)
            if (gput__metrics[m].plot.slot == slot && gput__metrics[m].plot.rank == rank)
                ret[n++] = (enum gput__metric)m;
    return n;
}

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

static bool is_waiting(enum gput__plot_slot slot)
{
    return slot >= GPUT__PLOT_WAIT_CPU && slot <= GPUT__PLOT_WAIT_DISK;
}

/* Kept only if something of it is known. */
static int add_series(const struct gput__run *run, const struct gput__bins_axis *axis,
                      struct gput__plot_series *s, size_t *n)
{
    int r = gput__bins_make(&s->bins, axis, run->series.time, s->values, run->series.n, s->is_rate);

    if (r < 0)
        return r;
    if (s->bins.n_known == 0 || (is_waiting(s->slot) && !(s->bins.max > 0))) {
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

static int add_gpus(const struct gput__run *run, const struct gput__bins_axis *axis,
                    struct gput__plot_series *ret, size_t *n)
{
    const struct gput__run_series *from = &run->series;
    int r = 0;

    if (from->n_gpus < 2 || !is_any_busy(ret, *n))
        return 0; /* the one is the whole; each of the idle is idle */
    for (size_t i = 0; i < from->n_gpus && i < GPUT__MOST_GPUS && r == 0; i++) {
        struct gput__plot_series *s = &ret[*n];

        if (!from->gpus[i].use)
            continue;
        *s = (struct gput__plot_series){ .slot = GPUT__PLOT_GPU,
                                         .whose = "",
                                         .kind = GPUT__AMOUNT_PERCENT,
                                         .colour = colours[GPUT__PLOT_GPU],
                                         .values = from->gpus[i].use };
        snprintf(s->name, sizeof(s->name), "GPU %u", (unsigned)i);
        r = add_series(run, axis, s, n);
    }
    return r;
}

static int add_metric(const struct gput__run *run, const struct gput__bins_axis *axis,
                      enum gput__metric m, struct gput__plot_series *ret, size_t *n)
{
    const struct gput__metric_plot *p = &gput__metrics[m].plot;
    struct gput__plot_series *s = &ret[*n];

    *s = (struct gput__plot_series){ .slot = p->slot,
                                     .whose = p->whose ? p->whose : "",
                                     .kind = kind_of(m),
                                     .colour = colours[p->slot],
                                     .values = run->series.value[m],
                                     .is_rate = !gput__metric_is_gauge(m) };
    snprintf(s->name, sizeof(s->name), "%s", p->name);
    return add_series(run, axis, s, n);
}

int gput__plot_series(const struct gput__run *run, const struct gput__bins_axis *axis,
                      struct gput__plot_series ret[GPUT__PLOT_MOST_SERIES], size_t *ret_n)
{
    int r = 0;

    *ret_n = 0;
    for (int slot = GPUT__NO_PLOT + 1; slot <= GPUT__PLOT_OWN && r == 0; slot++) {
        enum gput__metric metric[GPUT__N_METRICS];
        size_t n = list_slot((enum gput__plot_slot)slot, metric), before = *ret_n;

        for (size_t i = 0; i < n && r == 0; i++)
            if (run->series.value[metric[i]] && (slot == GPUT__PLOT_OWN || *ret_n == before))
                r = add_metric(run, axis, metric[i], ret, ret_n);
    }
    return r < 0 ? r : add_gpus(run, axis, ret, ret_n);
}
