/* run_comparison.h - groups of runs side by side: what changed, and whether it is more than noise. */
#ifndef GPUT_ANALYSIS_RUN_COMPARISON_H
#define GPUT_ANALYSIS_RUN_COMPARISON_H

#include "analysis/condition.h"
#include "analysis/spread.h"
#include "gput.h"
#include "model/named_figure.h"

/* The figures of THE table of short names, then those that conditions name by their paths. */
enum {
    GPUT__MOST_CONDITIONS = 16,
    GPUT__MOST_COMPARED = GPUT__N_NAMED_FIGURES + GPUT__MOST_CONDITIONS
};

struct gput__compared_run {
    char *source;                      /* its file, or another name; NULL: it has none */
    double value[GPUT__MOST_COMPARED]; /* NAN: not known */
};

struct gput__run_group {
    char *name;
    struct gput__compared_run *runs;
    size_t n;
    char *why[GPUT__MOST_COMPARED]; /* why a figure is not known of a run; NULL: it is of all */
};

/* run_comparison.c makes and frees it. */
struct gput__run_comparison {
    struct gput__named_figure figures[GPUT__MOST_COMPARED];
    int n_figures;
    struct gput__condition conditions[GPUT__MOST_CONDITIONS];
    int figure_of[GPUT__MOST_CONDITIONS]; /* the place in `figures` of each condition's */
    int n_conditions;
    struct gput__run_group *groups; /* the first is what the others are compared with */
    size_t n_groups;
};

enum gput__verdict { GPUT__NOT_JUDGED, GPUT__SAME, GPUT__BETTER, GPUT__WORSE };
const char *gput__verdict_name(enum gput__verdict verdict); /* NULL: not judged */

/* One figure of a group beside the first group's. */
struct gput__difference {
    struct gput__spread base, other;
    double change;     /* NAN: one of them is not known */
    double noise;      /* a change that is not larger may be chance */
    double noise_seen; /* what the spread of the runs says; NAN: there are too few */
    enum gput__verdict verdict;
};

void gput__run_comparison_free(struct gput__run_comparison *c);
void gput__run_comparison_begin(struct gput__run_comparison *c);
/* Before any run is added.  -EINVAL, -E2BIG: `ret_err` says why. */
int gput__run_comparison_condition(struct gput__run_comparison *c, const char *text,
                                   struct gput_error *ret_err);
/* To the group of that name, which is made where there is none. */
int gput__run_comparison_add(struct gput__run_comparison *c, const char *group, const char *source,
                             const struct gput_usage *u);
/* The same from values, one for each of `figures`; `why` those that are NAN are not known. */
int gput__run_comparison_add_values(struct gput__run_comparison *c, const char *group,
                                    const char *source, const double *values, const char *why);

/* Figure `i` of one group. */
void gput__run_group_spread(const struct gput__run_group *g, int i, struct gput__spread *ret);
bool gput__run_group_knows(const struct gput__run_group *g, int i);
void gput__run_difference(const struct gput__run_comparison *c, size_t group, int i,
                          struct gput__difference *ret);

/* Condition `i` in a group; a figure that is not known there, or in the first where a change is meant,
 * fails: nobody can say that all is well. */
bool gput__run_comparison_fails(const struct gput__run_comparison *c, size_t group, int i);

#endif
