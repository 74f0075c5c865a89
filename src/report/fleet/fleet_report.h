/* fleet_report.h - a fleet's jobs as text, JSON and CSV. */
#ifndef GPUT_REPORT_FLEET_H
#define GPUT_REPORT_FLEET_H

#include "analysis/fleet/fleet_job.h"
#include "base/buf.h"

struct gput__fleet_report {
    const struct gput__fleet *fleet; /* for what could not be read */
    const struct gput__fleet_job *jobs;
    size_t n_jobs;
};

/* The buffer keeps the error of memory. */
void gput__fleet_text(const struct gput__fleet_report *r, struct gput__buf *out);
void gput__fleet_json(const struct gput__fleet_report *r, struct gput__buf *out);
void gput__fleet_csv(const struct gput__fleet_report *r, struct gput__buf *out);

/* --- its words -------------------------------------------------------------------------------- */

enum { GPUT__FLEET_WORDS = 256 };

/* "rank 12 on node003", "a rank without number on node003 (pid 4711)". */
const char *gput__fleet_rank_words(const struct gput__fleet_job *job, size_t rank,
                                   char ret[GPUT__FLEET_WORDS]);
/* "3, 7-9 and 40 more": sorted numbers, in at most about 60 columns. */
void gput__fleet_numbers(struct gput__buf *out, const int *number, size_t n);
void gput__fleet_ranges(struct gput__buf *out, const struct gput__fleet_missing *m);
/* "exit code 1", "signal 9 (KILL)", "killed for memory". */
const char *gput__fleet_failure_words(const struct gput__fleet_failure *f,
                                      char ret[GPUT__FLEET_WORDS]);
/* By what a rank stands apart: "memory 9.99 GB, median 4.00 GB, all the time". */
void gput__fleet_straggler_words(const struct gput__straggler *s, struct gput__buf *out);
/* "time", "CPU", ...; and a value of it. */
extern const char *const gput__fleet_figure_titles[GPUT__FLEET_FIGURES];
const char *gput__fleet_value(enum gput__fleet_figure figure, double value,
                              char ret[GPUT__FLEET_WORDS]);
/* "Job 4711, step 0, restart 1". */
const char *gput__fleet_job_words(const struct gput__fleet_job *job, char ret[GPUT__FLEET_WORDS]);

#endif
