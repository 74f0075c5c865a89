/* cpu.h - CPU time of the job, exact when children die: see "CPU time" in docs/ARCHITECTURE.md. */
#ifndef GPUT_SAMPLE_CPU_H
#define GPUT_SAMPLE_CPU_H

#include "sample/tree/tree.h"

/* The four times of /proc/PID/stat are each cut to a clock tick: below this a difference between
 * what a parent inherited and what its children had is rounding. */
#define GPUT__ROUNDING_TICKS 2

/* CPU time of the job so far, exited children included. */
void gput__tree_cpu(const struct gput__tree *tree, uint64_t *ret_main_ns,
                    uint64_t *ret_descendants_ns);

/* --- one process ----------------------------------------------------------------------------- */

/* It has just been found. */
void gput__cpu_open(struct gput__tree *tree, struct gput__task *t);
/* ... and its stat was read: of an older process, what it had until now is not the run's. */
void gput__cpu_begin(struct gput__tree *tree, struct gput__task *t);
/* What stat says. */
void gput__cpu_apply_stat(const struct gput__tree *tree, struct gput__task *t,
                          const struct gput__proc_stat *st);
/* Reads its CPU clock.  1: it moved; 0: it did not; -ESRCH: it is gone. */
int gput__cpu_read_clock(const struct gput__tree *tree, struct gput__task *t);
/* It has no clock any more; or that was another's, whose pid it now is. */
void gput__cpu_lose_clock(struct gput__task *t);
void gput__cpu_go_back(struct gput__task *t, uint64_t own_ns);
/* What a counter that outlived it has. */
void gput__cpu_complete(struct gput__task *t, uint64_t own_ns);

/* --- ends ------------------------------------------------------------------------------------ */

/* It is gone: what it used goes to its parent in the job, or is lost.  `unseen`: an estimate of what
 * was not read. */
void gput__cpu_account_for_exit(struct gput__tree *tree, struct gput__task *parent,
                                const struct gput__task *t, uint64_t unseen);
/* Its exact usage is in a sum of the kernel's: nothing of it may go to a parent. */
void gput__cpu_drop_counts(struct gput__tree *tree, struct gput__task *t);
/* The usage of a child of the tracker. */
void gput__cpu_add_reaped(struct gput__tree *tree, const struct rusage *usage);
/* Time that is on no living process. */
void gput__cpu_add_lost(struct gput__tree *tree, uint64_t ns);
/* The part of what counts that was not seen. */
void gput__cpu_add_guess(struct gput__tree *tree, uint64_t ns);
/* So much of it was too high. */
void gput__cpu_drop_guess(struct gput__tree *tree, uint64_t ns);
/* Main has ended, and these are exact. */
void gput__cpu_set_main(struct gput__tree *tree, uint64_t own_ns, uint64_t waited_ns);

/* --- helpers of other trackers, whose time is not the job's ----------------------------------- */

/* A helper died, and its parent has inherited what it used. */
void gput__cpu_owe(const struct gput__tree *tree, struct gput__task *parent,
                   const struct gput__cpu_counts *used);
void gput__cpu_counts_add(struct gput__cpu_counts *sum, const struct gput__cpu_counts *more);

#endif
