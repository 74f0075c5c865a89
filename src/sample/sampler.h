/* sampler.h - the sources and the tree put together: one call, one sample. */
#ifndef GPUT_SAMPLE_SAMPLER_H
#define GPUT_SAMPLE_SAMPLER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/root.h"
#include "model/sample.h"
#include "sample/extras.h"
#include "sample/job.h"
#include "sample/machine/machine.h"
#include "sample/memory/memory.h"
#include "sample/tree/tree.h"

/* What the last poll found, and what it was worked out from. */
struct gput__last_sample {
    struct gput__sample sample;
    uint64_t n_reads, version;
    uint64_t n_polls;
};

/* Written by sampler.c and control.c, which are its two halves. */
struct gput__sampler {
    struct gput__root proc, sys;
    struct gput__tree tree;
    struct gput__memory memory;
    int fd_stat, fd_meminfo;
    unsigned n_cores;
    uint64_t ram_capacity;
    bool wants_job;    /* as a stream shows it */
    bool wants_extras; /* open files and swap */
    bool is_frugal;    /* nothing is shown but rows */
    struct gput__job job;
    struct gput__extras extras;
    struct gput__finder helper_program;
    int early_events; /* of the time before the job began, or -1 */
    bool blind;       /* no figures of processes */
    const char *blind_why;
    struct gput__last_sample last;
    bool wants_machine; /* only then is there a machine: */
    struct gput__machine machine;
};

/* NULL roots are the running kernel's.  `tracker`: see struct gput__tree. */
int gput__sampler_open(struct gput__sampler *s, const char *proc_root, const char *sys_root);
void gput__sampler_close(struct gput__sampler *s);

/* The job begins: `tracker` as in struct gput__tree. */
int gput__sampler_begin(struct gput__sampler *s, pid_t main_pid, pid_t tracker, bool older,
                        int64_t now);

/* The first poll, of an older main alone: there are figures at once, whatever else there is to find. */
void gput__sampler_poll_main(struct gput__sampler *s, int64_t now, struct gput__sample *ret);
/* At the end of a run that was too short for a memory scan: a small job is read now. */
void gput__sampler_last_scan(struct gput__sampler *s, int64_t now, struct gput__sample *ret);
/* What costs almost nothing: memory, threads, processes, CPU time. */
void gput__sampler_poll(struct gput__sampler *s, int64_t now, struct gput__sample *ret);
/* Everything of a record: a poll, the machine's figures, what was asked for besides. */
void gput__sampler_record(struct gput__sampler *s, int64_t now, int64_t real_ns,
                          struct gput__sample *ret);
/* What a record has beyond a poll, of the processes that the last poll found. */
void gput__sampler_complete(struct gput__sampler *s, struct gput__sample *ret);

/* From now on the machine's part of a record is all that struct gput__machine has. */
void gput__sampler_want_machine(struct gput__sampler *s);
/* Only the machine's part of a record; with it a run begins. */
void gput__sampler_system(struct gput__sampler *s, struct gput__sample *ret);
/* Only the CPU time of the job. */
void gput__sampler_cpu(const struct gput__sampler *s, struct gput__sample *ret);

/* Before the job begins: where orphans of the job get lost no new process may be missed. */
void gput__sampler_listen_early(struct gput__sampler *s);
/* Process events on or off, as the kernel and the rate of foreign ones allow. */
void gput__sampler_listen(struct gput__sampler *s);
void gput__sampler_unlisten(struct gput__sampler *s);

#endif
