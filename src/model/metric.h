/* metric.h - THE metric table: model/metric_rows.h has one row for each measured quantity.
 *
 * A row says what a metric is (name, unit, kind, scope, where it is read) and where it shows: the
 * figures of a result, the tracking file, the streams, the charts of a report, the text plot and the
 * exporters.  Everything that writes or reads metrics is a loop over the table. */
#ifndef GPUT_MODEL_METRIC_H
#define GPUT_MODEL_METRIC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gput.h"
#include "model/usage_rows.h"

#define METRIC(id, ...) id,
enum gput__metric {
#include "model/metric_rows.h"
    GPUT__N_METRICS,
};
#undef METRIC

/* Rows of main, descendants and combined follow each other: GPUT__MAIN_RAM + group. */
enum gput__group { GPUT__MAIN, GPUT__DESCENDANTS, GPUT__COMBINED, GPUT__N_GROUPS };

enum gput__unit_kind {
    GPUT__BYTES,
    GPUT__GPU_BYTES,
    GPUT__PERCENT,
    GPUT__COUNT,
    GPUT__SECONDS,
    GPUT__JOULES
};

enum gput__metric_kind {
    GPUT__GAUGE,   /* a level at one moment: its maximum is of interest */
    GPUT__COUNTER, /* only grows: what it gained between two moments is of interest */
    GPUT__RATE,    /* a counter too: how fast it grew, and the peaks of that, are of interest */
};

enum gput__metric_scope {
    GPUT__SCOPE_MAIN,
    GPUT__SCOPE_DESCENDANTS,
    GPUT__SCOPE_COMBINED,
    GPUT__SCOPE_JOB, /* as a stream shows it: main with its descendants, or main alone */
    GPUT__SCOPE_MACHINE,
    GPUT__SCOPE_GPUS, /* all GPUs together */
};

/* What 100 % of a percentage "of the hardware" is. */
enum gput__hardware {
    GPUT__NO_HARDWARE,
    GPUT__SYSTEM_CORES,
    GPUT__EXPECTED_CORES,
    GPUT__EXPECTED_GPUS,
    GPUT__THE_TIME, /* of seconds of the run: no interval has more than it is long */
};

/* A figure of a result that is worked out of the metric. */
struct gput__metric_figure {
    enum gput__figure_kind {
        GPUT__NO_FIGURE,
        GPUT__FIGURE_MAX,         /* of a gauge */
        GPUT__FIGURE_TOTAL,       /* of a counter, over the run */
        GPUT__FIGURE_LAST,        /* of a gauge, at the end */
        GPUT__FIGURE_PERCENTAGES, /* struct gput_percentages: maxima and means */
    } kind;
    enum gput__row_group group; /* where it stands; GPUT__NO_GROUP: another metric's row shows it */
    enum gput__row_kind row;
    const char *key, *label; /* in JSON, in text */
    size_t at;               /* in struct gput_usage */
};
enum { GPUT__MOST_FIGURES = 2 };

/* Columns of every tracking file.  Metrics without one are there with GPUT_ALL_COLUMNS, under their
 * own name. */
struct gput__metric_column {
    const char *name;     /* of the value or rate; NULL: none */
    const char *hardware; /* of that as a share of the hardware; NULL: none */
};

/* A column of the two streams as the older tools know it.  Metrics without one are further columns,
 * under their own name. */
struct gput__metric_stream {
    unsigned place;    /* in the stream of its scope; 0: none.  The time has 0 */
    const char *name;  /* with GPUT_COLUMNS_KIB */
    const char *newer; /* with GPUT_COLUMNS_MIB; NULL: the same */
    enum gput__stream_format {
        GPUT__STREAM_COUNT,
        GPUT__STREAM_MEMORY,      /* KiB, MiB */
        GPUT__STREAM_TIME_USED,   /* clock ticks, seconds */
        GPUT__STREAM_CORES,       /* a rate */
        GPUT__STREAM_BYTES,       /* gained */
        GPUT__STREAM_SPACE,       /* GB */
        GPUT__STREAM_GPU_USE,     /* 1 is one GPU; without any: 0 */
        GPUT__STREAM_GPU_MEMORY,  /* MiB; likewise */
        GPUT__STREAM_GPUS_IN_USE, /* likewise */
    } format;
};

/* A column of the table that `system` and `process` show on a terminal.  Metrics without a head are there
 * under their own name, as far as there is room. */
struct gput__metric_table {
    const char *head;
    unsigned rank; /* which go first where not all have room: 1 stays longest; 0: last */
};

/* A line of a chart of the report. */
struct gput__metric_line {
    enum gput__chart_id {
        GPUT__NO_CHART,
        GPUT__CHART_CPU,
        GPUT__CHART_MEMORY,
        GPUT__CHART_GPU,
        GPUT__CHART_GPU_WORK,
        GPUT__CHART_GPU_MEMORY,
        GPUT__CHART_DISK,
        GPUT__CHART_NETWORK,
        GPUT__CHART_PROCESSES,
        GPUT__CHART_PRESSURE,
        GPUT__N_CHARTS,
    } chart;
    const char *label;
    int colour; /* 0 ... 7, in which order lines stand too; GPUT__BEHIND: grey, behind the others */
    unsigned flags;
};
#define GPUT__BEHIND (-1)
enum gput__line_flag {
    GPUT__ASIDE = 1,  /* hidden where a line shows the job itself */
    GPUT__PART = 2,   /* a part of the job: worth showing where it has descendants */
    GPUT__SECOND = 4, /* only where nothing of the same label is known */
    GPUT__IF_ANY = 8, /* only where it was ever more than 0 */
};

/* A line of the text plot.  Of each slot the metric of the lowest rank that is known is drawn. */
struct gput__metric_plot {
    enum gput__plot_slot {
        GPUT__NO_PLOT,
        GPUT__PLOT_RAM, /* large charts */
        GPUT__PLOT_CPU,
        GPUT__PLOT_GPU_USE,
        GPUT__PLOT_GPU_RAM,
        GPUT__PLOT_GPU,  /* one of several */
        GPUT__PLOT_READ, /* small ones */
        GPUT__PLOT_WRITTEN,
        GPUT__PLOT_RECEIVED,
        GPUT__PLOT_SENT,
        GPUT__PLOT_WAIT_CPU, /* drawn where it was ever more than 0 */
        GPUT__PLOT_WAIT_MEMORY,
        GPUT__PLOT_WAIT_DISK,
        GPUT__PLOT_OWN, /* each metric has a slot of its own */
    } slot;
    int rank;
    const char *name;  /* at most 15 characters */
    const char *whose; /* " of the machine"; NULL: the job's */
};

/* Its name in OpenTelemetry, where the semantic conventions have one. */
struct gput__metric_convention {
    const char *name;      /* NULL: "gpu_tracker." and its family */
    const char *attribute; /* "key=value" that tells it from others of the name; NULL: none */
};

struct gput__metric_info {
    const char *name; /* in files and exports */
    enum gput__unit_kind unit;
    enum gput__metric_kind kind;
    enum gput__metric_scope scope;
    const char *origin; /* where it is read */
    const char *help;   /* what it is, in one sentence without a final stop */
    /* Its name in exports, in base units (a percentage is a ratio), without "gpu_tracker_" and "_total". */
    const char *family;
    struct gput__metric_convention convention;
    enum gput__hardware hardware;
    struct gput__metric_column column;
    struct gput__metric_figure figure[GPUT__MOST_FIGURES];
    const char *why_sampled; /* of its figures; NULL: "the largest seen at records" */
    const char *why_unknown; /* where it should have been measured; NULL: as for all of its scope */
    struct gput__metric_stream stream;
    struct gput__metric_table table;
    struct gput__metric_line line;
    struct gput__metric_plot plot;
};

extern const struct gput__metric_info gput__metrics[GPUT__N_METRICS];

/* The metric of that name; GPUT__N_METRICS: there is none. */
enum gput__metric gput__metric_find(const char *name);

static inline bool gput__metric_is_gauge(enum gput__metric m)
{
    return gput__metrics[m].kind == GPUT__GAUGE;
}

/* A counter is kept over time as its rate, or as what it gained. */
static inline bool gput__metric_is_rate(enum gput__metric m)
{
    return gput__metrics[m].kind == GPUT__RATE;
}

/* A gain of 1 per second as a rate: CPU time is shown in percent of one core. */
static inline double gput__metric_rate_unit(enum gput__metric m)
{
    return gput__metrics[m].unit == GPUT__SECONDS ? 100 : 1;
}

/* As so many cores, or, of what may take all the time without any, in percent of it. */
static inline bool gput__metric_is_in_cores(enum gput__metric m)
{
    return gput__metric_is_rate(m) && gput__metrics[m].unit == GPUT__SECONDS &&
           (gput__metrics[m].hardware == GPUT__SYSTEM_CORES ||
            gput__metrics[m].hardware == GPUT__EXPECTED_CORES);
}

/* Whether it is of main, of its descendants or of both, and is measured in every run. */
static inline bool gput__metric_is_of_job(enum gput__metric m)
{
    enum gput__metric_scope scope = gput__metrics[m].scope;

    return scope == GPUT__SCOPE_MAIN || scope == GPUT__SCOPE_DESCENDANTS ||
           scope == GPUT__SCOPE_COMBINED;
}

/* Whether it is of GPUs: without any its columns of the older formats are 0. */
bool gput__metric_is_of_gpus(enum gput__metric m);

/* A set of metrics. */
struct gput__metric_set {
    uint64_t bits[(GPUT__N_METRICS + 63) / 64];
};

static inline bool gput__metric_set_has(const struct gput__metric_set *s, enum gput__metric m)
{
    return s->bits[m / 64] >> (m % 64) & 1;
}

static inline void gput__metric_set_add(struct gput__metric_set *s, enum gput__metric m)
{
    s->bits[m / 64] |= UINT64_C(1) << (m % 64);
}

bool gput__metric_set_is_empty(const struct gput__metric_set *s);

#endif
