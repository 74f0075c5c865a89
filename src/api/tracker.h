/* tracker.h - what stands behind struct gput_tracker, shared by the files of this folder. */
#ifndef GPUT_API_TRACKER_H
#define GPUT_API_TRACKER_H

#include <signal.h>
#include <stdbool.h>

#include "api/run/streams.h"
#include "gput.h"
#include "sample/control.h"
#include "sample/facts.h"
#include "sample/listening.h"
#include "sample/polls.h"
#include "sample/schedule.h"
#include "sample/tree/main_end.h"
#include "source/cgroup/cgroup.h"
#include "store/records/records.h"
#include "summary/summary.h"

/* Each part is written by one file; the others read it, and change it by that file's functions. */

/* What is tracked; written by tracker.c. */
struct gput__tracked {
    char *command; /* NULL after attach */
    pid_t pid;
    int pidfd;
    bool attached;
    bool had_children;  /* before the command was started: they are not the job's */
    int64_t start_ns;   /* 0: not started */
    uint64_t floor_rss; /* our own peak when main was started: main's mark begins there */
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
    bool is_asked;
    bool was_killed; /* by us, for a second TERM */
    bool timed_out;
};

/* Looks and records; written by measure.c. */
struct gput__watching {
    bool is_settled; /* what could wait until the job ran has been done */
    struct gput__schedule schedule;
    struct gput__listening listening;
    struct gput__polls polls;
    int64_t spent_ns;   /* our CPU time at the last reckoning */
    double cpu_percent; /* over the last record interval */
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
    struct gput__gpu_usage *usage; /* what the last usage points to */
};

/* The control groups of the job; written by limits.c. */
struct gput__job_groups {
    char text[4096];              /* of /proc/PID/cgroup, as last seen; "": not yet */
    bool is_main;                 /* of main's; else of ours, in which it was started */
    struct gput__cgroup at_start; /* of those groups, when main was first seen in them */
    struct gput__cgroup now;      /* of the same groups, when next_ns was set */
    uint64_t machine_oom_kills;   /* at the start of the run */
    unsigned affinity;            /* cores that it may run on, at the start; 0: not known */
    int64_t next_ns;              /* when to look again */
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
    struct gput__sample now;      /* of the last look; written by measure.c */
    struct gput__records records; /* the tracking file; written by recording.c */
    struct gput__streams streams; /* its rows; written by streams.c */
    bool machine_warned;          /* written by machine.c */
    int timer_fd;                 /* written by loop.c */

    struct gput_discovery *discovery; /* under way; NULL: not asked for; written by tracker.c */
    struct gput__client
        *client; /* a helper measures for us; NULL: we measure; written by client.c */
    struct gput__service *service; /* we are that helper; NULL: we are not; written by tracker.c */
};

/* Fills ret_err, which may be NULL, and returns r. */
int gput__refuse(struct gput_error *ret_err, int r, const char *field, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));
/* A time limit is for a command that we started. */
int gput__refuse_timeout(struct gput_error *ret_err);
void gput__warn(const struct gput_tracker *t, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* How many cores a process may run on, 0: not known; pid 0: this one. */
unsigned gput__affinity(const struct gput__root *proc, pid_t pid);
/* The peak RSS of this process, bytes. */
uint64_t gput__own_peak(void);

/* options.c: checks and copies; what was copied is freed by gput__options_free(). */
int gput__options_take(const struct gput_options *from, struct gput_options *ret,
                       struct gput_error *ret_err);
void gput__options_free(struct gput_options *o);
/* Where the strings of the options are. */
#define GPUT__N_OPTION_STRINGS 12
void gput__options_strings(struct gput_options *o, const char **ret[GPUT__N_OPTION_STRINGS]);

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
/* Signals are ours from gput__signals_take() to gput__signals_give_back(). */
int gput__signals_take(struct gput_tracker *t);
void gput__signals_give_back(struct gput_tracker *t);
/* Starts the command; the child gets the signals as they were. */
int gput__spawn(struct gput_tracker *t, char *const argv[], pid_t *ret_pid);

/* gpu.c: starts looking for GPUs, in the background; with chosen UUIDs waits for the answer and
 * refuses unknown ones. */
int gput__gpu_begin(struct gput_tracker *t, struct gput_error *ret_err);
/* The run begins: the same, unless they were looked for before; none is a warning. */
void gput__gpu_begin_run(struct gput_tracker *t);
/* Takes what is new into the sample of a look or record. */
void gput__gpu_look(struct gput_tracker *t, struct gput__sample *ret);
/* The use and the memory of each device now; returns how many there are. */
uint32_t gput__gpu_values(const struct gput_tracker *t, double (*ret)[2], uint32_t most);
/* The run is over, at the time in the sample: the last figures of the driver. */
void gput__gpu_end(struct gput_tracker *t, struct gput__sample *ret);
/* What of the GPUs does not change, for the head of the tracking file. */
void gput__gpu_tell_static(const struct gput_tracker *t, struct gput__static_data *ret);
void gput__gpu_close(struct gput_tracker *t);
void gput__gpu_fill(const struct gput_tracker *t, const struct gput__summary *s,
                    struct gput_usage *u);

/* machine.c: what is known better of the machine's figures than the table of metrics says, and one line
 * for what is left out of them. */
void gput__machine_fill(const struct gput_tracker *t, struct gput_usage *u);
void gput__machine_warn(struct gput_tracker *t);

/* ending.c: main is a zombie of ours: takes its last figures and waits for it. */
void gput__take_main(struct gput_tracker *t, const siginfo_t *told, int64_t now);
/* Somebody of the job was there whom nobody has seen. */
void gput__main_was_not_alone(struct gput_tracker *t);
/* An attached process has gone, or we leave it. */
void gput__take_departure(struct gput_tracker *t, int64_t now, enum gput_ending ending);
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
/* The job has begun: when looks and records are due. */
void gput__measure_plan(struct gput_tracker *t);
/* After attaching: what the job had moved before is not of this run; and figures of main at once. */
void gput__measure_base_of_job(struct gput_tracker *t);
void gput__measure_main(struct gput_tracker *t);
/* When the next look, record or poll is due, and makes it.  `is_scanned`: a memory scan is done. */
int64_t gput__measure_due(const struct gput_tracker *t);
void gput__measure_tick(struct gput_tracker *t, int64_t now, bool is_scanned);
/* A birth made us tick: learns whether it was worth while. */
void gput__measure_births(struct gput_tracker *t);
/* The GPUs have changed. */
void gput__measure_gpus(struct gput_tracker *t, int64_t now);
/* The job slept, and has taken a page. */
void gput__measure_wake(struct gput_tracker *t, int64_t now);
/* Main is over, or we leave it: who else is there, and a memory scan if there was none. */
void gput__measure_processes(struct gput_tracker *t, int64_t now);
void gput__measure_last_scan(struct gput_tracker *t, int64_t now);
/* The run is over: the last sample and row, the whole summary. */
void gput__measure_end(struct gput_tracker *t, int64_t now);
/* Takes the high-water marks of the kernel's into a summary. */
void gput__raise_marks(const struct gput_tracker *t, struct gput__summary *s);

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

#endif
