/* charts.c - which charts a run gives, and the lines in each. */
#include "report/charts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "model/figure.h"
#include "report/text/amount.h"

/* The lines of each chart are metrics (model/metric.h). */
static const struct chart_def {
    const char *id, *title;
    enum gput__chart_unit unit;
    bool is_gpu;
    /* What is said instead where all that would be shown is zero: of the job, of the machine alone.
     * NULL: it is shown all the same. */
    const char *quiet, *quiet_machine;
} defs[GPUT__N_CHARTS] = {
    [GPUT__CHART_CPU] = { "cpu", "CPU", GPUT__CHART_CORES, false, NULL, NULL },
    [GPUT__CHART_MEMORY] = { "memory", "Memory", GPUT__CHART_BYTES, false, NULL, NULL },
    [GPUT__CHART_GPU] = { "gpu", "GPU", GPUT__CHART_PERCENT, true, "GPU: none was at work.", NULL },
    [GPUT__CHART_GPU_WORK] = { "gpu-work", "What the GPUs did", GPUT__CHART_PERCENT, false, NULL,
                               NULL },
    [GPUT__CHART_GPU_MEMORY] = { "gpu-memory", "GPU memory", GPUT__CHART_BYTES, true,
                                 "GPU memory: the job held none.", "GPU memory: none was in use." },
    [GPUT__CHART_DISK] = { "disk", "Disk", GPUT__CHART_RATE, false,
                           "Disk: the job read and wrote nothing.",
                           "Disk: nothing was read or written." },
    [GPUT__CHART_NETWORK] = { "network", "Network of the machine", GPUT__CHART_RATE, false,
                              "Network of the machine: nothing was received or sent.", NULL },
    [GPUT__CHART_PROCESSES] = { "processes", "Processes, threads and open files", GPUT__CHART_COUNT,
                                false, NULL, NULL },
    [GPUT__CHART_PRESSURE] = { "pressure", "Pressure: share of the time in which something waited",
                               GPUT__CHART_PERCENT, false, "Pressure: nothing had to wait.", NULL },
};

/* The lines of a chart in their order: by colour, those behind the others last; of the same colour
 * those that only stand in for another come later. */
struct lines {
    size_t n;
    enum gput__metric metric[GPUT__N_METRICS];
};

static unsigned rank_of(const struct gput__metric_line *l)
{
    return 2 * (l->colour == GPUT__BEHIND ? GPUT__N_COLOURS : (unsigned)l->colour) +
           !!(l->flags & GPUT__SECOND);
}

static void list_lines(enum gput__chart_id chart, struct lines *ret)
{
    ret->n = 0;
    for (unsigned rank = 0; rank < 2 * (GPUT__N_COLOURS + 1); rank++)
        for (int m = 0; m < GPUT__N_METRICS; m++)
            if (gput__metrics[m].line.chart == chart && rank_of(&gput__metrics[m].line) == rank)
                ret->metric[ret->n++] = (enum gput__metric)m;
}

/* The highest of a series; NAN: nothing is known. */
static double highest(const double *value, size_t n)
{
    double max = NAN;

    for (size_t i = 0; value && i < n; i++)
        max = value[i] > max || isnan(max) ? value[i] : max; /* fmax() is a call */
    return max;
}

static void add_line(struct gput__chart *c, const struct gput__run *run, const char *label,
                     const double *value, double scale, int colour, bool is_hidden)
{
    double max = highest(value, run->series.n);
    struct gput__line *line = &c->line[c->n_lines];

    if (isnan(max) || c->n_lines == GPUT__MOST_LINES)
        return;
    *line = (struct gput__line){
        .value = value, .scale = scale, .max = max * scale, .colour = colour, .is_hidden = is_hidden
    };
    snprintf(line->label, sizeof(line->label), "%s", label);
    c->n_lines++;
}

static bool has_label(const struct gput__chart *c, const char *label)
{
    for (size_t i = 0; i < c->n_lines; i++)
        if (!strcmp(c->line[i].label, label))
            return true;
    return false;
}

static double highest_of(const struct gput__run *run, enum gput__metric m)
{
    return highest(run->series.value[m], run->series.n);
}

/* Whether a line tells of the job itself. */
static bool knows_job(const struct gput__run *run, const struct lines *lines)
{
    for (size_t i = 0; i < lines->n; i++)
        if (!(gput__metrics[lines->metric[i]].line.flags & GPUT__ASIDE) &&
            !isnan(highest_of(run, lines->metric[i])))
            return true;
    return false;
}

static bool has_descendants(const struct gput__run *run, const struct lines *lines)
{
    for (size_t i = 0; i < lines->n; i++)
        if ((gput__metrics[lines->metric[i]].line.flags & GPUT__PART) &&
            gput__metrics[lines->metric[i]].scope == GPUT__SCOPE_DESCENDANTS)
            return highest_of(run, lines->metric[i]) > 0;
    return false;
}

/* Rates of CPU are percent of one core; those of GPUs are a sum, of which the mean is shown. */
static double scale_of(const struct gput__run *run, const struct chart_def *def,
                       enum gput__metric metric)
{
    if (def->unit == GPUT__CHART_CORES)
        return 0.01;
    if (def->unit != GPUT__CHART_PERCENT || !def->is_gpu)
        return 1;
    return 1 / gput__run_n_gpus(run, highest_of(run, metric));
}

static void add_metrics(struct gput__chart *c, const struct gput__run *run,
                        const struct chart_def *def, const struct lines *lines)
{
    bool in_parts = has_descendants(run, lines), is_job = knows_job(run, lines);

    for (size_t i = 0; i < lines->n; i++) {
        enum gput__metric m = lines->metric[i];
        const struct gput__metric_line *l = &gput__metrics[m].line;

        if ((l->flags & GPUT__PART && !in_parts) ||
            (l->flags & GPUT__SECOND && has_label(c, l->label)) ||
            (l->flags & GPUT__IF_ANY && !(highest_of(run, m) > 0)))
            continue;
        add_line(c, run, l->label, run->series.value[m], scale_of(run, def, m),
                 l->colour == GPUT__BEHIND && !is_job ? 0 : l->colour,
                 l->flags & GPUT__ASIDE && is_job);
    }
}

/* Behind the job's own lines; alone where there are none. */
static void add_gpus(struct gput__chart *c, const struct gput__run *run, bool is_memory)
{
    bool has_job = has_label(c, "Job");

    if (!has_job && run->series.n_gpus > 0 && highest(run->series.gpus[0].use, run->series.n) >= 0)
        c->n_lines = is_memory ? c->n_lines : 0; /* each GPU is better than their sum */
    for (size_t i = 0; i < run->series.n_gpus; i++) {
        const struct gput__run_gpu *g = &run->series.gpus[i];
        char label[80];

        snprintf(label, sizeof(label), "GPU %zu%s%s", i, g->name ? ", " : "",
                 g->name ? g->name : "");
        add_line(c, run, label, is_memory ? g->memory : g->use, 1,
                 (int)(i + (has_job ? 3 : 0)) % GPUT__N_COLOURS, is_memory && has_job);
    }
}

/* A file of a machine without GPUs has zeros in their columns. */
static bool is_without_gpu(const struct gput__run *run, const struct gput__chart *c)
{
    const struct gput_usage *u = &run->usage;
    double n = gput__figure_value(u->gpu_utilization.system_gpu_count);

    for (size_t i = 0; i < c->n_lines; i++)
        if (c->line[i].max > 0)
            return false;
    return run->series.n_gpus == 0 && !(n > 0);
}

static bool is_quiet(const struct gput__chart *c)
{
    for (size_t i = 0; i < c->n_lines; i++)
        if (!c->line[i].is_hidden && c->line[i].max > 0)
            return false;
    return true;
}

static void set_limit(struct gput__chart *c, const struct gput__run *run)
{
    const struct gput_usage *u = &run->usage;
    double value[] = { gput__figure_value(u->limits.memory_effective),
                       gput__figure_value(u->max_ram.system_capacity),
                       gput__figure_value(u->limits.cores_effective),
                       gput__figure_value(u->cpu_utilization.system_core_count) };

    c->limit = NAN;
    c->limit_label = "limit";
    if (!strcmp(c->id, "memory")) {
        c->limit = isnan(value[0]) ? value[1] : value[0];
        if (isnan(gput__figure_value(u->limits.memory_cgroup)))
            c->limit_label = "memory of the machine";
    } else if (!strcmp(c->id, "cpu")) {
        c->limit = isnan(value[2]) ? value[3] : value[2];
        c->limit_label = "cores";
    } else if (!strcmp(c->id, "gpu") || c->is_stacked) {
        c->limit = 100;
        c->limit_label = NULL;
    } else if (!strcmp(c->id, "gpu-memory") && run->series.n_gpus <= 1) {
        c->limit = gput__figure_value(u->max_gpu_ram.system_capacity);
        c->limit_label = "memory of the GPUs";
    }
    if (!(c->limit > 0))
        c->limit = NAN;
}

/* A chart of one moment is none. */
void gput__charts_make(const struct gput__run *run, struct gput__charts *ret)
{
    ret->n = ret->n_quiet = 0;
    for (int i = GPUT__NO_CHART + 1; run->series.n > 1 && i < GPUT__N_CHARTS; i++) {
        const struct chart_def *def = &defs[i];
        struct gput__chart *c = &ret->chart[ret->n];
        struct lines lines;

        list_lines((enum gput__chart_id)i, &lines);
        *c = (struct gput__chart){ .id = def->id,
                                   .title = def->title,
                                   .unit = def->unit,
                                   .is_stacked = i == GPUT__CHART_GPU_WORK };
        add_metrics(c, run, def, &lines);
        if (def->is_gpu)
            add_gpus(c, run, def->unit == GPUT__CHART_BYTES);
        if (c->n_lines == 0 || (def->is_gpu && is_without_gpu(run, c)) ||
            (c->is_stacked && isnan(highest_of(run, GPUT__GPUS_AT_WORK))))
            continue;
        if (def->quiet && is_quiet(c)) {
            ret->quiet[ret->n_quiet++] =
                def->quiet_machine && !knows_job(run, &lines) ? def->quiet_machine : def->quiet;
            continue;
        }
        set_limit(c, run);
        ret->n++;
    }
}

double gput__chart_top(const struct gput__chart *c)
{
    double top = 0;

    for (size_t i = 0; i < c->n_lines; i++)
        if (!c->line[i].is_hidden)
            top = fmax(top, c->line[i].max);
    if (c->unit == GPUT__CHART_PERCENT)
        top = fmax(top, 100);
    if (c->limit <= 2 * top)
        top = fmax(top, c->limit);
    return top > 0 ? top * 1.05 : 1;
}

const char *gput__chart_value(enum gput__chart_unit unit, double value, char *ret)
{
    switch (unit) {
    case GPUT__CHART_BYTES:
        return gput__amount_bytes(value, ret);
    case GPUT__CHART_RATE:
        return gput__amount_rate(value, ret);
    case GPUT__CHART_PERCENT:
        return gput__amount_percent(value, ret);
    case GPUT__CHART_CORES:
        gput__amount_number(value, ret);
        strcat(ret, fabs(value - 1) < 0.005 ? " core" : " cores");
        return ret;
    default:
        return gput__amount_number(value, ret);
    }
}
