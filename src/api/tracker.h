/* tracker.h - what stands behind struct gput_tracker, shared by the files of this folder. */
#ifndef GPUT_API_TRACKER_H
#define GPUT_API_TRACKER_H

#include <signal.h>
#include <stdbool.h>
#include <sys/resource.h>

#include "api/streams.h"
#include "gput.h"
#include "sample/gpu_share.h"
#include "sample/sampler.h"
#include "sample/schedule.h"
#include "source/cgroup.h"
#include "store/records.h"
#include "summary/summary.h"

/* The control groups of the job; written by limits.c. */
struct gput__job_groups {
    char text[4096];              /* of /proc/PID/cgroup, as last seen; "": not yet */
    bool is_main;                 /* of main's; else of ours, in which it was started */
    struct gput__cgroup at_start; /* of those groups, when main was first seen in them */
    uint64_t machine_oom_kills;   /* at the start of the run */
    int64_t next_ns;              /* when to look again */
};

struct gput_tracker {
    struct gput_options opts; /* strings are our copies */
    struct gput__sampler sampler;
    struct gput__schedule schedule;
    struct gput__summary summary;
    struct gput__sample now; /* of the last look */
    double cpu_percent;      /* over the last record interval */
    struct gput__records records;
    struct gput__streams streams;
    struct gput_discovery *discovery; /* under way; NULL: not asked for */

    struct gput__gpus *gpus; /* NULL: no thread could be started */
    struct gput__gpu_share gpu_share;
    bool gpus_answered; /* at the end of the run, in time */
    bool gpus_warned;
    struct gput__gpu_usage *gpu_usage; /* what the last usage points to */

    bool machine_warned;

    struct gput__job_group *group; /* cgroup.c: the job's control group; NULL: not asked for */

    struct gput__client *client;   /* a helper measures for us; NULL: we measure */
    struct gput__service *service; /* we are that helper; NULL: we are not */

    char *command; /* NULL after attach */
    pid_t pid;
    bool attached;
    int64_t start_ns, end_ns; /* 0: not started; running */
    uint64_t floor_rss;       /* our own peak when main was started: main's mark begins there */
    uint64_t own_peak;        /* as read not long ago; 0: read it when it is asked for */

    int pidfd, signal_fd, timer_fd;
    bool has_signals;
    bool hears_faults; /* SIGIO is ours, and tells that a sleeping job has woken up */
    sigset_t old_mask;
    struct sigaction old_chld;

    bool settled; /* what could wait until the job ran has been done */
    struct gput__job_groups groups;
    unsigned affinity;           /* cores that it may run on, at the start; 0: not known */
    int64_t unwaited_pause_ns;   /* between two polls of those whose time nobody inherits, */
    int64_t memory_pause_ns;     /* and of the count of mapped pages */
    int64_t spent_ns;            /* our CPU time at the last reckoning */
    int64_t second_ns;           /* when foreign events were last counted */
    int64_t deaf_until_ns;       /* too many of them: no events until then */
    int deaf_records, next_deaf; /* records until a birth may wake us again; the next time */

    int64_t deadline_ns, first_term_ns, kill_at_ns; /* 0: none */
    bool stop_asked;
    bool was_killed;   /* by us, for a second TERM */
    bool had_children; /* before the command was started: they are not the job's */

    enum gput_ending ending;
    int code;
    bool timed_out;
    enum gput_oom oom;
    bool main_peak_exact, main_cpu_exact, main_only;
    bool has_usage;
    struct rusage usage;         /* of main and all that it waited for */
    uint64_t main_ns, waited_ns; /* the CPU time in it, apart */
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
/* The tracking file is whole. */
void gput__close_records(struct gput_tracker *t);

/* spawn.c: signals are ours from gput__signals_take() to gput__signals_give_back(). */
int gput__signals_take(struct gput_tracker *t);
void gput__signals_give_back(struct gput_tracker *t);
/* Starts the command; the child gets the signals as they were. */
int gput__spawn(struct gput_tracker *t, char *const argv[], pid_t *ret_pid);

/* gpu.c: starts looking for GPUs, in the background; with chosen UUIDs waits for the answer and
 * refuses unknown ones. */
int gput__gpu_begin(struct gput_tracker *t, struct gput_error *ret_err);
/* Takes what is new into the sample of a look or record. */
void gput__gpu_look(struct gput_tracker *t);
void gput__gpu_look_into(struct gput_tracker *t, struct gput__sample *ret);
/* The use and the memory of each device now; returns how many there are. */
uint32_t gput__gpu_values(const struct gput_tracker *t, double (*ret)[2], uint32_t most);
void gput__gpu_end(struct gput_tracker *t);
/* What of the GPUs does not change, for the head of the tracking file. */
void gput__gpu_tell_static(const struct gput_tracker *t, struct gput__static_data *ret);
void gput__gpu_close(struct gput_tracker *t);
void gput__gpu_fill(const struct gput_tracker *t, const struct gput__summary *s,
                    struct gput_usage *u);

/* machine.c: the machine's figures, and one line for what is left out of them. */
void gput__machine_fill(const struct gput_tracker *t, const struct gput__summary *s,
                        struct gput_usage *u);
void gput__machine_warn(struct gput_tracker *t);

/* ending.c: main is a zombie of ours: takes its last figures and waits for it. */
void gput__take_main(struct gput_tracker *t, const siginfo_t *told, int64_t now);
/* An attached process has gone, or we leave it. */
void gput__take_departure(struct gput_tracker *t, int64_t now, enum gput_ending ending);
/* As the parent of all orphans we know by the kernel's word whether anybody of the job is left. */
bool gput__has_children(void);
/* The run is over: closes the summary. */
void gput__finish(struct gput_tracker *t, int64_t now);
/* The marks of the kernel's in the summary. */
void gput__raise_marks(const struct gput_tracker *t, struct gput__summary *s);

/* limits.c: the groups that main is in and what they have counted, once it runs. */
void gput__limits_begin(struct gput_tracker *t, int64_t now);
/* Now and then: main may have moved into others. */
void gput__limits_watch(struct gput_tracker *t, int64_t now);
/* What they allow now; of a job that has ended those that it was last seen in. */
void gput__limits_now(const struct gput_tracker *t, struct gput__cgroup *ret);
/* Whether a process of the job was killed for memory. */
enum gput_oom gput__judge_kill(const struct gput_tracker *t);

/* loop.c: -1 never is. */
bool gput__is_readable(int fd);
/* Until the run is over. */
int gput__loop(struct gput_tracker *t);
/* The rest of the run, as a row or with those before. */
void gput__last_row(struct gput_tracker *t);
/* One record into the tracking file, if there is one; before the first its head. */
void gput__write_row(struct gput_tracker *t);

#endif
