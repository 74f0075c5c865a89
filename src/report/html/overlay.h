/* overlay.h - several runs over one time axis, each from its own start. */
#ifndef GPUT_REPORT_OVERLAY_H
#define GPUT_REPORT_OVERLAY_H

#include "model/run.h"
#include "report/charts.h"

struct gput__overlay {
    struct gput__run run; /* the time axis alone: seconds since the start of each */
    struct gput__charts charts;
    double **values; /* of the lines of the charts, `n` of them */
    size_t n, cap;
};

/* Of each run that has moments the job's own line of each chart, under its name.  -ENODATA: none has. */
int gput__overlay_make(const struct gput__run *const *runs, const char *const *names, size_t n,
                       struct gput__overlay *ret);
void gput__overlay_free(struct gput__overlay *o);

#endif
