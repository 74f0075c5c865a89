/* sweep.h - which records lie inside the calls of which code block, and their statistics. */
#ifndef GPUT_ANALYSIS_SWEEP_H
#define GPUT_ANALYSIS_SWEEP_H

#include "analysis/calls.h"
#include "store/records/columns.h"

/* The columns that have statistics: all but the time. */
enum { GPUT__N_MEASURED = GPUT__N_COLUMNS - 1 };

struct gput__sweep; /* one pass over the records */

struct gput__usage_moments { /* of a block, or of the whole run */
    struct gput__moments of[GPUT__N_MEASURED];
};

/* `calls` must live as long. */
int gput__sweep_open(const struct gput__calls *calls, struct gput__sweep **ret);
/* The next record: the measured columns, then the time.  -ENOMEM. */
int gput__sweep_add(struct gput__sweep *s, const double row[GPUT__N_COLUMNS]);
/* After the last one. */
void gput__sweep_finish(struct gput__sweep *s);
void gput__sweep_close(struct gput__sweep *s);

/* After gput__sweep_finish(). */
const struct gput__usage_moments *gput__sweep_overall(const struct gput__sweep *s);
const struct gput__usage_moments *gput__sweep_block(const struct gput__sweep *s, uint32_t block);
/* Whether a record lies between the two moments, ends included. */
bool gput__sweep_has_record(const struct gput__sweep *s, double start, double stop);
size_t gput__sweep_n_records(const struct gput__sweep *s, double *ret_first, double *ret_last);

#endif
