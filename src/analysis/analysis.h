/* analysis.h - what each code block of a run took. */
#ifndef GPUT_ANALYSIS_ANALYSIS_H
#define GPUT_ANALYSIS_ANALYSIS_H

#include "analysis/calls.h"
#include "analysis/sweep.h"
#include "model/run.h"
#include "store/runs/tracking_file.h"

struct gput_analysis {
    bool has_tracking;                                         /* a tracking file was read */
    struct gput__static_value statics[GPUT__N_STATIC_COLUMNS]; /* as in the file */
    double ram_unit_size;
    double first, last; /* records and marks; NAN: none */
    uint64_t n_records;
    struct gput_stats overall[GPUT__N_MEASURED];
    struct gput_block *blocks; /* by name */
    struct gput_stats *usage;  /* theirs */
    struct gput__calls calls;
    size_t n_blocks;
};

/* Either name may be NULL.  gput__analysis_close() takes a half-built one. */
int gput__analysis_make(const char *tracking_file, const char *sub_tracking_file,
                        const struct gput_callbacks *on, struct gput_analysis **ret,
                        struct gput_error *ret_err);
/* The same of the records that a run holds, in bytes.  Calls that lie outside of the run are left
 * out, and a warning says so: marks of an earlier run may stand in the same file. */
int gput__analysis_of_run(const struct gput__run *run, const char *sub_tracking_file,
                          const struct gput_callbacks *on, struct gput_analysis **ret,
                          struct gput_error *ret_err);
struct gput_analysis *gput__analysis_close(struct gput_analysis *a);

#endif
