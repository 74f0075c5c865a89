/* control.h - what the owner of a sampler sets between samples. */
#ifndef GPUT_SAMPLE_CONTROL_H
#define GPUT_SAMPLE_CONTROL_H

#include "sample/gpu/gpu_share.h"
#include "sample/sampler.h"

/* --- beginning ------------------------------------------------------------------------------- */

bool gput__sampler_is_open(const struct gput__sampler *s);
/* From now on records have the metrics of the job as a stream shows it. */
void gput__sampler_want_job(struct gput__sampler *s, bool main_only);
/* ... and open files and swap: see extras.h. */
void gput__sampler_want_extras(struct gput__sampler *s);
/* Nothing is shown but rows: watching may cost less. */
void gput__sampler_be_frugal(struct gput__sampler *s);
/* How to find the program of helpers, which are not the job's. */
void gput__sampler_use_helper_program(struct gput__sampler *s, const struct gput__finder *program);
/* There are no figures of processes from now on. */
void gput__sampler_set_blind(struct gput__sampler *s, const char *why);
/* In the place of gput__sampler_begin(): there is no job, only what the machine does is measured. */
void gput__sampler_begin_machine(struct gput__sampler *s, int64_t now);
/* There are no polls between records. */
void gput__sampler_leave_alone(struct gput__sampler *s, bool no_watch);

/* --- while it runs --------------------------------------------------------------------------- */

/* Finds new processes and reads none. */
void gput__sampler_discover(struct gput__sampler *s, int64_t now);
/* New processes may have been missed: the next poll finds them, whatever that costs. */
void gput__sampler_search(struct gput__sampler *s);
/* After a poll: peaks of a lap count from this moment, those of the run as before. */
void gput__sampler_begin_lap(struct gput__sampler *s);
/* After a poll: true if no process of the job runs and the kernel will wake us when one does. */
bool gput__sampler_sleep(struct gput__sampler *s, bool may_sleep);
void gput__sampler_wake(struct gput__sampler *s);
void gput__sampler_signal_descendants(const struct gput__sampler *s, int sig);
/* Sets the metrics of the job as a stream shows it, if they are wanted. */
void gput__sampler_measure_job(struct gput__sampler *s, struct gput__sample *ret);
/* Sets the GPU metrics from what the GPU thread has seen. */
void gput__sampler_measure_gpus(struct gput__sampler *s, struct gput__gpus *g,
                                struct gput__gpu_share *share, struct gput__sample *ret);

/* --- the end --------------------------------------------------------------------------------- */

/* We have waited for `pid`, an orphan of the job. */
void gput__sampler_reaped(struct gput__sampler *s, pid_t pid, const struct rusage *usage);
/* Only main is left. */
void gput__sampler_drop_descendants(struct gput__sampler *s);
/* The run is over: completes the CPU time, and sets the machine's part of the last sample. */
void gput__sampler_end(struct gput__sampler *s, struct gput__sample *ret);

/* --- one moment, without a run --------------------------------------------------------------- */

/* What a process has used so far, as if tracking had begun with the machine.  -ESRCH: there is none. */
int gput__sampler_once(struct gput__sampler *s, pid_t pid, int64_t now, struct gput__sample *ret);
/* The machine, disk by disk, and in the sample what its interfaces that count show.  File systems are
 * waited for, at most so long. */
int gput__sampler_describe_machine(struct gput__sampler *s, int64_t timeout_ns,
                                   struct gput__sample *ret,
                                   struct gput__machine_details *ret_details);

#endif
