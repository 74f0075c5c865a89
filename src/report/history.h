/* history.h - the runs of a history: a list, one of them, how figures moved. */
#ifndef GPUT_REPORT_HISTORY_H
#define GPUT_REPORT_HISTORY_H

#include "base/buf.h"
#include "report/json/json.h"
#include "store/history/history.h"

/* A list: a head, and a line for each run. */
void gput__history_head(struct gput__buf *out);
void gput__history_line(const struct gput__history_run *run, struct gput__buf *out);
/* All that is known of one. */
void gput__history_page(const struct gput__history_run *run, struct gput__buf *out);
/* An object of a list. */
void gput__history_json(const struct gput__history_run *run, struct gput__json *j);

/* How the runs of one name went: `figure` has GPUT__N_NAMED_FIGURES for each of `n`, the oldest first. */
struct gput__history_series {
    const char *name;
    size_t n;
    const double *figure;
    const double *start; /* of each of them; NAN: not known */
    double first, last;  /* when the first and the last of them began; NAN: not known */
};
/* Only the figure of that place; -1: those that are worth a line. */
void gput__trend_text(const struct gput__history_series *s, int only, int width, bool use_unicode,
                      struct gput__buf *out);
void gput__trend_json(const struct gput__history_series *s, int only, struct gput__json *j);

/* A page of all jobs: how their figures moved, and charts over the time in which they ran.  0 or -ENOMEM. */
int gput__html_history(const struct gput__history_series *jobs, size_t n, struct gput__buf *out);

#endif
