/* comparison.h - the handle of runs side by side. */
#ifndef GPUT_API_COMPARISON_H
#define GPUT_API_COMPARISON_H

#include "analysis/run_comparison.h"
#include "model/run.h"

/* A run that is drawn. */
struct gput__drawn_run {
    char *group;
    struct gput__run run;
};

struct gput_comparison {
    struct gput__run_comparison runs;
    struct gput__drawn_run *drawn; /* one of each group at most */
    size_t n_drawn, cap_drawn;
};

/* What a merged fleet used as a whole: the figures that it tells. */
struct gput__fleet_totals_usage {
    struct gput_usage usage; /* without its list of GPUs, */
    struct gput_gpu gpu;     /* which has this one, with the energy of all */
};
/* From what `merge -f json` wrote or would write: such a file, a folder of one job's node files, one of these.
 * -EBADMSG: it is none; or the errno of opening it. */
int gput__fleet_totals_read(const char *file, struct gput__fleet_totals_usage *ret);

#endif
