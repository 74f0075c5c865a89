/* recommend.h - what a run needs, from what it used. */
#ifndef GPUT_ANALYSIS_RECOMMEND_H
#define GPUT_ANALYSIS_RECOMMEND_H

#include "model/run.h"

void gput__demand_of_run(const struct gput__run *run, struct gput_demand *ret);
/* How many GPUs held memory of the job and were busy; 0: none, or nobody knows. */
int gput__gpus_at_work(const struct gput_usage *u);
/* Whether there is any figure to go by. */
int gput__demand_is_known(const struct gput_demand *d);

/* Whether its peak of memory is an estimate, and the bound of that is well above it. */
int gput__demand_is_bounded(const struct gput_demand *d);

/* What to bear in mind with the figures of a run. */
enum gput__note {
    GPUT__NOTE_OOM = 1 << 0,       /* killed for memory */
    GPUT__NOTE_BOUNDS = 1 << 1,    /* its peak of memory may have been higher, up to a bound */
    GPUT__NOTE_NO_LEVELS = 1 << 2, /* how its use of the CPU was spread is not known */
    GPUT__NOTE_TIMED_OUT = 1 << 3, /* ended for its time limit */
    GPUT__NOTE_FAILED = 1 << 4,    /* an exit code other than 0, or a signal */
    GPUT__NOTE_RUNNING = 1 << 5,   /* not at its end yet */
    GPUT__NOTE_MACHINE = 1 << 6,   /* only the whole machine is known */
    GPUT__NOTE_SAMPLED = 1 << 7,   /* only samples of its memory are known, without a bound */
};
unsigned gput__demand_notes(const struct gput_demand *d);

/* Several runs as one: means of means, maxima of maxima. */
void gput__demand_combine(const struct gput_demand *runs, size_t n, struct gput_demand *ret);
/* Bytes that the run needs: its peak and the margin, or more where it was killed for memory. */
double gput__demand_memory(const struct gput_demand *d, double margin);
/* The cores that keep its speed; 0: nothing is known. */
int gput__demand_cores(const struct gput_demand *d);

#endif
