/* gpus.h - watches the GPUs from a thread of its own, so that nothing ever waits for a driver.
 *
 * Drivers take milliseconds to wake up, some calls are expensive, and some never come back.  The thread
 * makes all calls; what it saw is taken from it under a lock that is never held during a call. */
#ifndef GPUT_SAMPLE_GPUS_H
#define GPUT_SAMPLE_GPUS_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "sample/gpu/gpu_busy.h"
#include "sample/gpu/gpu_device.h"
#include "source/gpu/gpu.h"

struct gput__gpu_plan {
    struct gput__gpu_config config;
    const char *brand;           /* NULL: the first of which there is a device */
    int64_t start_ns, period_ns; /* the schedule of the records */
    int64_t start_us;            /* the same start, since 1970 */
    bool no_watch;
    bool has_rows;  /* each record is to show the utilisation */
    bool want_all;  /* power, temperature, clocks and energy too */
    bool want_uses; /* how busy each process keeps a device */
};

enum gput__gpus_state { GPUT__GPUS_STARTING, GPUT__GPUS_READY, GPUT__GPUS_NONE };

/* What is asked of the thread; written by gpus.c alone. */
struct gput__gpus_asked {
    struct gput__gpu_plan plan;
    struct gput__root proc, sys; /* copies: a thread that hangs outlives the tracker */
    char *brand, *nvml_path;     /* likewise */
    pid_t *job;
    size_t n_job;
    bool on_gpu;     /* the job has a process on one of them */
    bool wants_base; /* where the counters stand at the start */
    bool to_finish, to_end;
    bool wants_reading; /* of what each process holds, now */
    int64_t end_us;
};

/* What the thread has found; written by gpus.c alone. */
struct gput__gpus_found {
    enum gput__gpus_state state;
    char why[256]; /* there are none */
    const struct gput__gpu_ops *ops;
    void *instance; /* of the back end: the thread's own */
    struct gput__gpu_device *devices;
    unsigned n;
    uint64_t seq; /* raised when there is something new */
    bool is_finished;
    bool is_read; /* what was wanted */
    bool is_bare; /* no brand has a driver or a card here: nothing is amiss */
};

/* Calls of the driver; written by gpu_read.c alone. */
struct gput__gpus_calls {
    unsigned n_answered;
    int64_t uses_since_us;
    bool wants_history; /* no room is left for readings in its place */
};

/* When the thread is to read what; written by gpus.c alone. */
struct gput__gpus_timing {
    int64_t next_history_ns, next_record_ns;
    int64_t cost_ns;                    /* of an ordinary reading */
    int64_t moved_ns;                   /* when memory last was other than before */
    int64_t next_work_ns, work_cost_ns; /* what the devices really do */
};

/* All but the first two and `changed` is under the lock; written by gpus.c alone. */
struct gput__gpus {
    pthread_t thread;
    bool has_thread; /* false: it was plain that there are none */
    pthread_mutex_t lock;
    pthread_cond_t wake, told;
    int changed; /* eventfd: there is something new to take; -1: never */
    bool has_ended, is_abandoned;

    struct gput__gpus_asked asked;
    struct gput__gpus_found found;
    struct gput__gpu_busy busy;
    struct gput__gpus_calls calls;
    struct gput__gpus_timing timing;
};

/* Begins to search for GPUs.  -ENOMEM, -EAGAIN: no thread. */
int gput__gpus_start(const struct gput__gpu_plan *plan, struct gput__gpus **ret);
/* Until it is known what there is, at most so long; true: it is. */
bool gput__gpus_wait(struct gput__gpus *g, int64_t timeout_ns);

/* Which devices count; `uuids` comma separated, NULL: all.  -ENOENT: one is not there; its name is
 * in ret_bad.  Only once the devices are known. */
int gput__gpus_choose(struct gput__gpus *g, const char *uuids, char *ret_bad, size_t cap);

/* Whether a device counts unless others were chosen.  With the lock. */
bool gput__gpus_counts(const struct gput__gpus *g, unsigned i);

/* The job starts now, not when the plan was made. */
void gput__gpus_restart(struct gput__gpus *g, int64_t start_ns, int64_t start_us);

/* The processes of the job, for back ends that find clients through /proc. */
void gput__gpus_tell_job(struct gput__gpus *g, const pid_t *pids, size_t n);
void gput__gpus_tell_use(struct gput__gpus *g, bool on_gpu);

/* A reading of what each process holds, for which no single call may take longer than the timeout; true: it
 * came in time, or there is no GPU. */
bool gput__gpus_refresh(struct gput__gpus *g, int64_t timeout_ns);

/* A last reading of everything, for which no single call may take longer than the timeout; true: it
 * came in time. */
bool gput__gpus_finish(struct gput__gpus *g, int64_t end_us, int64_t timeout_ns);

/* NULL is fine.  A thread whose driver does not answer is left to itself. */
void gput__gpus_close(struct gput__gpus *g);

#endif
