/* tracker.h - what stands behind struct gput_tracker, shared by the files of this folder. */
#ifndef GPUT_API_TRACKER_H
#define GPUT_API_TRACKER_H

#include <signal.h>
#include <stdbool.h>

#include "api/run/streams.h"
#include "base/text/iso_time.h"
#include "gput.h"
#include "sample/control.h"
#include "sample/facts.h"
#include "sample/listening.h"
#include "sample/probes.h"
#include "sample/schedule.h"
#include "sample/tree/main_end.h"
#include "source/cgroup/cgroup.h"
#include "source/cgroup/cgroup_throttle.h"
#include "store/records/records.h"
#include "summary/forecast.h"
#include "summary/summary.h"

/* Each part is written by one file; the others read it, and change it by that file's functions. */

/* Which run it is, beside what the options say; written by identity.c. */
struct gput__identity {
    char start_time[GPUT__ISO_TIME], host[256]; /* "": not known */
};

/* What is tracked; written by tracker.c. */
struct gput__tracked {
    char *command; /* NULL after attach */
    pid_t pid;
    int pidfd;
    bool attached;
    bool had_children;  /* before the command was started: they are not the job's */
    int64_t start_ns;   /* 0: not started */
    uint64_t floor_rss; /* our own peak when main was started: main's mark begins there */
    struct gput_discovery *discovery; /* of where it runs, under way; NULL: not asked for */
    struct gput__identity identity;   /* written by identity.c */
    struct gput__fleet *fleet;        /* it is one of; NULL: it is by itself */
};

/* Signals that are ours meanwhile; written by spawn.c. */
struct gput__signals {
    int fd;
    bool are_ours;
    bool hear_faults; /* SIGIO is ours, and tells that a sleeping job has woken up */
    sigset_t old_mask;
    struct sigaction old_chld;
};

/* What ends the run before the job does; written by stopping.c. */
struct gput__stopping {
    int64_t deadline_ns, first_term_ns, kill_at_ns; /* 0: none */
    int64_t grace_ns;                               /* between signals of ours */
    bool is_asked;
    bool was_killed; /* by us, for a second TERM */
    bool timed_out;
    bool is_over_budget;
};

/* Looks and records; written by measure.c. */
struct gput__watching {
    bool is_settled; /* what could wait until the job ran has been done */
    struct gput__schedule schedule;
    struct gput__listening listening;
    struct gput__probes probes;
    int64_t spent_ns;              /* our CPU time at the last reckoning */
    int64_t row_cost_ns;           /* of the last row between two records */
    double cpu_percent;            /* over the last record interval */
    struct gput__forecast growth;  /* of the job's memory */
    struct gput__watched *viewers; /* NULL: they cannot find us; written by watched.c */
};

/* How it ended; written by ending.c. */
struct gput__end {
    int64_t at_ns; /* 0: it runs */
    enum gput_ending how;
    int code;
    enum gput_oom oom;
    struct gput__main_end main;
};

/* The GPUs; written by gpu.c. */
struct gput__run_gpus {
    struct gput__gpus *thread; /* NULL: none could be started */
    struct gput__gpu_share share;
    bool has_answered; /* at the end of the run, in time */
    bool is_warned_of;
    bool errors_are_told, stuck_is_told;
    struct gput__gpu_usage *usage; /* what the last usage points to */
};

/* The CPU quota of the job, and how it held it back; written by waiting.c. */
struct gput__job_quota {
    char folder[GPUT__CGROUP_PATH]; /* of the group with the quota; "": there is none */
    int fd;                         /* its cpu.stat, if the folder is set */
    struct gput__throttled base, now;
    struct gput__throttled before; /* gained in groups that it was in before */
    bool is_known;                 /* the group has told of itself */
};

/* The control groups of the job; written by limits.c. */
struct gput__job_groups {
    char text[4096];              /* of /proc/PID/cgroup, as last seen; "": not yet */
    bool is_main;                 /* of main's; else of ours, in which it was started */
    struct gput__cgroup at_start; /* of those groups, when main was first seen in them */
    struct gput__cgroup now;      /* of the same groups, when next_limits_ns was set */
    uint64_t machine_oom_kills;   /* at the start of the run */
    unsigned affinity;            /* cores that it may run on, at the start; 0: not known */
    int64_t next_ns;              /* when to see whether they are still the job's */
    int64_t next_limits_ns;       /* when to read what they allow again, if they are */
    struct gput__job_quota quota;
};

/* What the last usage points to. */
struct gput__lists {
    struct gput__who *who;           /* used it; written by who.c */
    struct gput__run_budget *budget; /* what it may use; NULL: anything; written by budget.c */
};

struct gput_tracker {
    struct gput_options opts;     /* strings are our copies; written by tracker.c */
    struct gput__sampler sampler; /* what is measured with: sample/ */
    struct gput__tracked job;
    struct gput__signals signals;
    struct gput__stopping stop;
    struct gput__watching watch;
    struct gput__end end;
    struct gput__run_gpus gpu;
    struct gput__job_groups groups;
    struct gput__job_group *group; /* the job's own; NULL: not asked for; written by cgroup.c */

    struct gput__summary summary; /* of the run so far; written by measure.c */
    struct gput__sample now;      /* of the last poll or record; written by measure.c */
    struct gput__records records; /* the tracking file; written by recording.c */
    struct gput__streams streams; /* its rows; written by streams.c */
    bool machine_warned;          /* written by machine.c */
    int timer_fd;                 /* written by loop.c */

    struct gput__client
        *client; /* a helper measures for us; NULL: we measure; written by client.c */
    struct gput__lists lists;
    struct gput__service *service; /* we are that helper; NULL: we are not; written by tracker.c */
};

/* Fills ret_err, which may be NULL, and returns r. */
int gput__refuse(struct gput_error *ret_err, int r, const char *field, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));
/* Limits at which the job is ended are for a command that we started. */
int gput__refuse_limits(const struct gput_tracker *t, struct gput_error *ret_err);
void gput__warn(const struct gput_tracker *t, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* How many cores a process may run on, 0: not known; pid 0: this one. */
unsigned gput__affinity(const struct gput__root *proc, pid_t pid);
/* The peak RSS of this process, bytes. */
uint64_t gput__own_peak(void);

/* options.c: checks and copies; what was copied is freed by gput__options_free(). */
int gput__options_copy(const struct gput_options *from, struct gput_options *ret,
                       struct gput_error *ret_err);
void gput__options_free(struct gput_options *o);
/* Where the strings of the options are. */
#define GPUT__N_OPTION_STRINGS 19
void gput__options_strings(struct gput_options *o, const char **ret[GPUT__N_OPTION_STRINGS]);

/* identity.c: what of the run's identity was not given; the strings become the options'. */
int gput__identity_choose(struct gput_options *o, struct gput_error *ret_err);
/* It began at `start_ns`. */
void gput__identity_begin(struct gput_tracker *t, int64_t start_ns);
void gput__identity_fill(const struct gput_tracker *t, struct gput_usage *u);

/* tracker.c: opens what is measured with; called by spawn and attach. */
int gput__engine_open(struct gput_tracker *t, struct gput_error *ret_err);
/* We are a helper: who it works for gets the warnings. */
void gput__tracker_serve(struct gput_tracker *t, struct gput__service *s,
                         const struct gput_callbacks *on);
/* Before the start: a pidfd of the process that is to be attached to. */
void gput__tracker_use_pidfd(struct gput_tracker *t, int fd);
/* Closes it as if nothing had been tracked: nothing is left behind. */
void gput__tracker_discard(struct gput_tracker *t);

/* spawn.c: none are ours yet. */
void gput__signals_init(struct gput_tracker *t);
/* Signals are ours from gput__signals_block() to gput__signals_restore(). */
int gput__signals_block(struct gput_tracker *t);
void gput__signals_restore(struct gput_tracker *t);
/* Starts the command; the child gets the signals as they were. */
int gput__spawn(struct gput_tracker *t, char *const argv[], pid_t *ret_pid);

/* gpu.c: starts looking for GPUs, in the background; with chosen UUIDs waits for the answer and
 * refuses unknown ones. */
int gput__gpu_begin(struct gput_tracker *t, struct gput_error *ret_err);
/* The run begins: the same, unless they were looked for before; none is a warning. */
void gput__gpu_begin_run(struct gput_tracker *t);
/* Takes what is new into the sample of a poll or record. */
void gput__gpu_poll(struct gput_tracker *t, struct gput__sample *ret);
/* The use and the memory of each device now; returns how many there are. */
uint32_t gput__gpu_values(const struct gput_tracker *t, double (*ret)[2], uint32_t most);
/* The run is over, at the time in the sample: the last figures of the driver. */
void gput__gpu_end(struct gput_tracker *t, struct gput__sample *ret);
/* What of the GPUs does not change, for the head of the tracking file. */
void gput__gpu_tell_static(const struct gput_tracker *t, struct gput__static_data *ret);
/* How many GPUs are counted with, and their memory, bytes, NAN: not known. */
int gput__gpu_capacity(const struct gput_tracker *t, double *ret_bytes);
void gput__gpu_close(struct gput_tracker *t);
void gput__gpu_fill(const struct gput_tracker *t, const struct gput__summary *s,
                    struct gput_usage *u);

/* machine.c: what is known better of the machine's figures than the table of metrics says, and one line
 * for what is left out of them. */
void gput__machine_fill(const struct gput_tracker *t, struct gput_usage *u);
void gput__machine_warn(struct gput_tracker *t);

/* waiting.c: what the job waited for.  The job may have moved into another group; at a record; when the run
 * is over. */
void gput__waiting_watch(struct gput_tracker *t);
void gput__waiting_record(struct gput_tracker *t, struct gput__sample *ret);
void gput__waiting_end(struct gput_tracker *t, struct gput__sample *ret);
void gput__waiting_fill(const struct gput_tracker *t, const struct gput__summary *s,
                        struct gput_usage *u);
void gput__waiting_close(struct gput_tracker *t);

/* energy.c: what the run took, and its carbon. */
void gput__energy_fill(const struct gput_tracker *t, const struct gput__summary *s,
                       struct gput_usage *u);

/* who.c: the processes by their commands; `s` is of the run so far. */
int gput__who_open(struct gput_tracker *t);
void gput__who_fill(const struct gput_tracker *t, const struct gput__summary *s,
                    struct gput_usage *u);
void gput__who_close(struct gput_tracker *t);

/* fleet.c: one of those of a job on many nodes; `launch` NULL: the launcher says which.  NULL: no memory. */
struct gput__fleet *gput__fleet_open(const char *folder, const struct gput_launch *launch);
/* The others of this node are met, and who measures it is settled; then the job runs. */
void gput__fleet_begin(struct gput_tracker *t);
void gput__fleet_started(struct gput_tracker *t);
void gput__fleet_record(struct gput_tracker *t);
/* The run is over; the last one out writes the file of the node. */
void gput__fleet_end(struct gput_tracker *t);
void gput__fleet_close(struct gput__fleet *f); /* NULL is fine */
/* Whether it is for us to ask the GPUs of this node for all that they tell. */
bool gput__fleet_asks_all_of_gpus(const struct gput_tracker *t);

/* budget.c: reads the limits of the options, if there are any. */
int gput__budget_open(struct gput_tracker *t, struct gput_error *ret_err);
void gput__budget_close(struct gput_tracker *t);
/* Whether they ask for figures that are measured on request (GPUT_WANT_ALL). */
bool gput__budget_needs_all(const struct gput_tracker *t);
/* Judges the figures of `u` by them. */
void gput__budget_fill(const struct gput_tracker *t, struct gput_usage *u);
/* When the job is to be judged at the latest, INT64_MAX: never; and does so if it is time: one that has
 * passed a limit is ended. */
int64_t gput__budget_due(const struct gput_tracker *t);
void gput__budget_watch(struct gput_tracker *t, int64_t now);

/* ending.c: main is a zombie of ours: takes its last figures and waits for it. */
void gput__record_main_end(struct gput_tracker *t, const siginfo_t *told, int64_t now);
/* Somebody of the job was there whom nobody has seen. */
void gput__main_was_not_alone(struct gput_tracker *t);
/* An attached process has gone, or we leave it. */
void gput__record_departure(struct gput_tracker *t, int64_t now, enum gput_ending ending);
/* As the parent of all orphans we know by the kernel's word whether anybody of the job is left. */
bool gput__has_children(void);
/* The run is over: closes the summary. */
void gput__finish(struct gput_tracker *t, int64_t now);

/* limits.c: the groups that main is in and what they have counted, once it runs. */
void gput__limits_begin(struct gput_tracker *t, int64_t now);
/* Now and then: main may have moved into others. */
void gput__limits_watch(struct gput_tracker *t, int64_t now);
/* What they allow now; of a job that has ended those that it was last seen in. */
void gput__limits_now(const struct gput_tracker *t, struct gput__cgroup *ret);
/* Whether a process of the job was killed for memory. */
enum gput_oom gput__judge_kill(const struct gput_tracker *t);

/* loop.c: nothing is waited for yet. */
void gput__loop_init(struct gput_tracker *t);
/* Makes what it waits with. */
int gput__loop_open(struct gput_tracker *t);
void gput__loop_close(struct gput_tracker *t);
/* Until the run is over. */
int gput__loop(struct gput_tracker *t);
/* A descriptor of -1 never is. */
bool gput__is_readable(int fd);

/* measure.c: the counters as the job begins; returns when that is. */
int64_t gput__measure_begin(struct gput_tracker *t);
/* The job has begun: when polls and records are due. */
void gput__measure_plan(struct gput_tracker *t);
/* After attaching: what the job had moved before is not of this run; and figures of main at once. */
void gput__measure_base_of_job(struct gput_tracker *t);
void gput__measure_main(struct gput_tracker *t);
/* When the next poll, record or probe is due, and makes it.  `is_scanned`: a memory scan is done. */
int64_t gput__measure_due(const struct gput_tracker *t);
void gput__measure_tick(struct gput_tracker *t, int64_t now, bool is_scanned);
/* A birth made us tick: learns whether it was worth while. */
void gput__measure_births(struct gput_tracker *t);
/* Where the last row ends and the next one begins. */
const struct gput__sample *gput__measure_last_row(const struct gput_tracker *t);
/* The GPUs have changed. */
void gput__measure_gpus(struct gput_tracker *t, int64_t now);
/* A poll at this moment, of all processes that there are, whatever that costs. */
void gput__measure_moment(struct gput_tracker *t, int64_t now);
/* The job slept, and has taken a page. */
void gput__measure_wake(struct gput_tracker *t, int64_t now);
/* Main is over, or we leave it: who else is there, and a memory scan if there was none. */
void gput__measure_processes(struct gput_tracker *t, int64_t now);
void gput__measure_last_scan(struct gput_tracker *t, int64_t now);
/* What the control group of the job, or the machine, lets it hold, bytes. */
double gput__memory_limit(const struct gput_tracker *t);
/* The run is over: the last sample and row, the whole summary. */
void gput__measure_end(struct gput_tracker *t, int64_t now);
/* Takes the high-water marks of the kernel's into a summary. */
void gput__raise_peaks(const struct gput_tracker *t, struct gput__summary *s);

/* recording.c: opens the tracking file, if one is wanted. */
int gput__recording_open(struct gput_tracker *t, struct gput_error *ret_err);
/* One record; before the first its head. */
void gput__recording_write(struct gput_tracker *t);
/* What a reader kept out is tried again. */
void gput__recording_retry(struct gput_tracker *t);
/* It is whole. */
void gput__recording_close(struct gput_tracker *t);
/* Nothing has run: a new one is removed. */
void gput__recording_drop(struct gput_tracker *t);

/* stopping.c: the time limit begins. */
void gput__stop_begin(struct gput_tracker *t);
/* Somebody wants the run to end. */
void gput__stop_ask(struct gput_tracker *t);
/* Signals that came: passed on to the job, or meant for us. */
void gput__stop_read_signals(struct gput_tracker *t, int64_t now);
/* When the job is to be signalled for a time limit, INT64_MAX: never; and does so if it is time. */
int64_t gput__stop_due(const struct gput_tracker *t);
void gput__stop_keep_time(struct gput_tracker *t, int64_t now);
/* The job has passed its budget: TERM, then KILL. */
void gput__stop_over_budget(struct gput_tracker *t, int64_t now);

#endif
