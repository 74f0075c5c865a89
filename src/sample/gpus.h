/* gpus.h - watches the GPUs from a thread of its own, so that nothing ever waits for a driver.
 *
 * Drivers take milliseconds to wake up, some calls are dear, and some never come back.  The thread
 * makes all calls; what it saw is taken from it under a lock that is never held during a call. */
#ifndef GPUT_SAMPLE_GPUS_H
#define GPUT_SAMPLE_GPUS_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "sample/gpu_busy.h"
#include "source/gpu.h"

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

/* How busy one process kept one device, as the driver samples it. */
struct gput__gpu_use {
    pid_t pid;
    double sum, max; /* percent */
    unsigned n;
};
#define GPUT__MOST_GPU_USES 64

struct gput__gpu_device {
    struct gput__gpu_info info;
    bool is_lost;
    struct gput__gpu_reading now;
    int64_t read_ns; /* of power, heat and clocks */
    bool has_memory;
    uint64_t first_memory, max_memory; /* used by all, at the start and at most */
    double power_ws, power_s, max_power, max_temperature;
    bool has_power, has_temperature, has_clocks;
    unsigned max_clock, max_memory_clock;
    bool was_throttled;
    char throttle[64];
    bool has_energy;
    double first_energy, last_energy;
    struct gput__gpu_processes processes;
    int processes_error;       /* 0, or why there are none */
    uint64_t processes_memory; /* what the device had in use when they were read */
    bool processes_known;
    bool had_utilization;
    bool has_history; /* the driver's history told something when it was last asked */
    bool had_history; /* or ever */
    struct gput__gpu_step waiting[64]; /* readings, for the time of which it tells nothing */
    unsigned n_waiting;
    struct gput__gpu_use uses[GPUT__MOST_GPU_USES]; /* those past this many are not told */
    unsigned n_uses;
};

enum gput__gpus_state { GPUT__GPUS_STARTING, GPUT__GPUS_READY, GPUT__GPUS_NONE };

struct gput__gpus {
    pthread_t thread;
    bool has_thread; /* false: it was plain that there are none */
    pthread_mutex_t lock;
    pthread_cond_t wake, told;
    int changed; /* eventfd: there is something new to take; -1: never */

    /* under the lock */
    struct gput__gpu_plan plan;
    enum gput__gpus_state state;
    char why[256]; /* there are none */
    const struct gput__gpu_ops *ops;
    struct gput__gpu_device *devices;
    unsigned n;
    struct gput__gpu_busy busy;
    uint64_t seq;
    pid_t *job;
    size_t n_job;
    bool on_gpu;       /* the job has a process on one of them */
    bool wants_energy; /* the counter's level at the start */
    bool asked_to_finish, is_finished, asked_to_end, has_ended, is_abandoned;
    unsigned n_calls; /* answered so far */
    int64_t end_us;
    struct gput__root proc, sys; /* copies: a thread that hangs outlives the tracker */
    char *brand, *nvml_path;     /* likewise */

    /* the thread's own */
    void *gpus;
    int64_t uses_since_us, next_history_ns, next_record_ns, cost_ns;
};

/* Begins to look for GPUs.  -ENOMEM, -EAGAIN: no thread. */
int gput__gpus_start(const struct gput__gpu_plan *plan, struct gput__gpus **ret);
/* Until it is known what there is, at most so long; true: it is. */
bool gput__gpus_wait(struct gput__gpus *g, int64_t timeout_ns);

/* Which devices count; `uuids` comma separated, NULL: all.  -ENOENT: one is not there; its name is
 * in ret_bad.  Only once the devices are known. */
int gput__gpus_choose(struct gput__gpus *g, const char *uuids, char *ret_bad, size_t cap);

/* The job starts now, not when the plan was made. */
void gput__gpus_restart(struct gput__gpus *g, int64_t start_ns, int64_t start_us);

/* The processes of the job, for back ends that find clients through /proc. */
void gput__gpus_tell_job(struct gput__gpus *g, const pid_t *pids, size_t n);
void gput__gpus_tell_use(struct gput__gpus *g, bool on_gpu);

/* A last reading of everything, for which no single call may take longer than the timeout; true: it
 * came in time. */
bool gput__gpus_finish(struct gput__gpus *g, int64_t end_us, int64_t timeout_ns);

/* NULL is fine.  A thread whose driver does not answer is left to itself. */
void gput__gpus_close(struct gput__gpus *g);

#endif
