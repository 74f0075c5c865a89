/* cgroup.h - the control group of the job: one made for it, or one that it has for itself. */
#ifndef GPUT_API_CGROUP_H
#define GPUT_API_CGROUP_H

#include "gput.h"
#include "model/sample.h"
#include "report/text/findings.h"
#include "sample/sampler.h"
#include "source/cgroup/cgroup_make.h"
#include "source/cgroup/cgroup_use.h"

/* Written by cgroup.c alone. */
struct gput__job_group {
    bool is_made;     /* by us: the job alone is in it, from before its first moment */
    bool has_tracker; /* we are in it too */
    bool was_checked; /* for others, once */
    unsigned shared;  /* others are in it: a bit for each controller */
    char path[GPUT__CGROUP_PATH];
    struct gput__cgroup_made made;
    struct gput__cgroup_place place;
    struct gput__cgroup_files files;
    struct gput__cgroup_use base, now;
    uint64_t max[GPUT__N_CGROUP_VALUES]; /* at polls */
    uint64_t max_memory;
    uint64_t max_processes,
        counted_tasks;   /* so many tasks there were when processes were counted */
    uint64_t max_mapped; /* files mapped by the job's processes, whoever's group they count in */
    bool corrects_cpu;   /* it has at a record */
    bool somebody_left;  /* processes of the job went to other groups */
    bool is_over;
};

/* With GPUT_CGROUP makes a group, and warns where it cannot; with GPUT_WANT_ALL finds the present one.
 * Before the job starts. */
void gput__group_begin(struct gput_tracker *t);
/* In the child, between vfork and exec: a bit for each controller that did not take it. */
unsigned gput__group_enter(const struct gput_tracker *t);
/* In the parent, with what that said. */
void gput__group_entered(struct gput_tracker *t, unsigned failed);

/* At each poll of the processes, when they have been read. */
void gput__group_poll(struct gput_tracker *t);
/* At a record: the job's CPU time in the sample becomes the group's where that is more. */
void gput__group_record(struct gput_tracker *t, struct gput__sample *ret);
/* The run is over: the same once more, and the group is removed. */
void gput__group_end(struct gput_tracker *t, struct gput__sample *ret);
/* What is still there is removed. */
void gput__group_close(struct gput_tracker *t);

/* How many of the job were killed for memory, as a group made for it counts. */
uint64_t gput__group_kills(const struct gput_tracker *t);
/* Whether a group made for the job has counted all of its CPU time. */
bool gput__group_has_all_cpu(const struct gput_tracker *t);

/* What the group has counted since the run began, in units of `unit`. */
struct gput_figure gput__group_counter(const struct gput_tracker *t, enum gput__cgroup_value v,
                                       double unit);
/* cgroup_usage.c: the group `cgroup` of the figures, and what follows from it for others. */
void gput__group_fill(const struct gput_tracker *t, struct gput_usage *u);

/* For `gpu-tracker doctor`: whether one can be made, and whether the present one is ours alone. */
void gput__group_check(struct gput__findings *f, const char *heading,
                       const struct gput__sampler *s);

#endif
