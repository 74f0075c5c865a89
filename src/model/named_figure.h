/* named_figure.h - the figures of a run that people ask for by name: budgets, comparisons, histories. */
#ifndef GPUT_MODEL_NAMED_FIGURE_H
#define GPUT_MODEL_NAMED_FIGURE_H

#include <stdbool.h>
#include <stddef.h>

#include "gput.h"

enum gput__figure_unit {
    GPUT__IN_BYTES,
    GPUT__IN_SECONDS,
    GPUT__IN_JOULES,
    GPUT__IN_PERCENT,
    GPUT__IN_NUMBERS,
};

/* Whether a change of it is good news. */
enum gput__figure_wish {
    GPUT__WISH_NONE, /* it is shown, and judged only where somebody asks */
    GPUT__WISH_LESS,
    GPUT__WISH_MORE,
};

/* THE table of short names. */
struct gput__named_figure {
    const char *name, *label; /* "ram", "Peak memory" */
    enum gput__figure_unit unit;
    enum gput__figure_wish wish;
    /* A smaller change is noise: of one run against one, of several against several (whose own spread
     * may say more), as shares; and in the figure's unit, whatever it is a share of. */
    double tolerance, floor, least;
};

enum {
    GPUT__NAMED_RAM,
    GPUT__NAMED_MAIN_PROCESS_RAM,
    GPUT__NAMED_GPU_RAM,
    GPUT__NAMED_CPU_TIME,
    GPUT__NAMED_WALL_TIME,
    GPUT__NAMED_PROCESSES,
    GPUT__NAMED_THREADS,
    GPUT__NAMED_DISK_READ,
    GPUT__NAMED_DISK_WRITE,
    GPUT__NAMED_ENERGY,
    GPUT__NAMED_LEFTOVER,
    GPUT__NAMED_GPU_UTIL,
    GPUT__N_NAMED_FIGURES,
};
extern const struct gput__named_figure gput__named_figures[GPUT__N_NAMED_FIGURES];

/* Its place in the table; -1: it is no short name. */
int gput__named_figure_find(const char *name);
/* Its value in a run. */
struct gput_figure gput__named_figure_of(const struct gput_usage *u, int i);

/* The figure of a path of the result's JSON, such as "cpu_utilization.combined.max_sum_percent", in
 * bytes, seconds, percent or numbers.  -ENOENT: there is no figure there. */
int gput__figure_at_path(const struct gput_usage *u, const char *path, struct gput_figure *ret,
                         enum gput__figure_unit *ret_unit);

/* "bytes", "seconds", "joules", "percent", "number" */
const char *gput__figure_unit_name(enum gput__figure_unit unit);

#endif
