/* gpu.h - what a GPU back end offers: a small table of functions over an instance of its own.
 *
 * A call may be slow or never come back (drivers hang): all of an instance's calls are made from one
 * thread that is not joined.  What a driver does not report is absent, never 0. */
#ifndef GPUT_SOURCE_GPU_H
#define GPUT_SOURCE_GPU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/root.h"
#include "gput.h"
#include "model/gpu_work.h"

struct gput__gpu_config {
    const struct gput__root *proc, *sys; /* borrowed until close */
    const char *nvml_path;               /* NULL: libnvidia-ml.so.1 where the loader finds it */
    bool dev_is_live;                    /* character devices may be asked for by major number */
};

/* What does not change. */
struct gput__gpu_info {
    char name[96];
    char uuid[96]; /* as --guuids takes it */
    char pci[24];  /* 0000:01:00.0, "" if unknown */
    bool has_memory_total;
    uint64_t memory_total; /* bytes */
    bool is_unified;       /* memory is the system's: total is what the GPU may use of it */
    bool is_mig;           /* an instance of a partitioned GPU */
    enum gput_gpu_brand brand;
    bool is_drm;     /* see struct gput__gpu_ops */
    unsigned parent; /* of a MIG instance: the number of its whole GPU among all */
};

enum gput__gpu_what { /* bits: what to read, and what was read */
                      GPUT__GPU_MEMORY = 1 << 0,
                      GPUT__GPU_UTILIZATION = 1 << 1,
                      GPUT__GPU_POWER = 1 << 2,
                      GPUT__GPU_TEMPERATURE = 1 << 3,
                      GPUT__GPU_CLOCKS = 1 << 4,
                      GPUT__GPU_THROTTLE = 1 << 5,
};

enum gput__gpu_counts_of { /* bits: what costs differently */
                           GPUT__COUNTS_OF_EVENTS = 1 << 0,
                           GPUT__COUNTS_OF_TIME = 1 << 1, /* and of bytes */
                           GPUT__COUNTS_OF_ERRORS = 1 << 2,
};

/* One device at one moment. */
struct gput__gpu_reading {
    unsigned known;       /* enum gput__gpu_what */
    uint64_t memory_used; /* bytes, by all processes, without the driver's own reserve */
    double utilization;   /* percent of the time that it was busy of late */
    double power_watts, temperature_c;
    unsigned clock_mhz, memory_clock_mhz; /* of the memory 0: unknown */
    bool is_throttled;
    char throttle[64]; /* why, in words; "" if it is not */
};

/* What one process has on one device. */
struct gput__gpu_process {
    pid_t pid;       /* as the driver names it */
    bool has_memory; /* false: it uses the device, how much is not known */
    uint64_t memory; /* bytes */
};

struct gput__gpu_processes {
    struct gput__gpu_process *list; /* grown by the back end, freed by the caller */
    size_t n, cap;
};

/* One entry of a driver's own history. */
typedef void gput__gpu_sample_fn(void *ctx, int64_t time_us, double percent);

struct gput__gpu_ops {
    enum gput_gpu_brand brand;
    bool is_drm; /* its devices are the kernel's: below class/drm of sys, clients in /proc */

    /* Whether `open` is worth a thread: cheap, and asks no driver.  -ENODEV with what was searched for
     * in `ret_why`. */
    int (*present)(const struct gput__gpu_config *config, char *ret_why, size_t cap);

    /* Searches for devices.  -ENODEV: there are none, with what was searched for in `ret_why`; other
     * errors likewise with a reason a user can act on. */
    int (*open)(const struct gput__gpu_config *config, void **ret_gpus, char *ret_why, size_t cap);
    unsigned (*count)(const void *gpus);
    int (*describe)(void *gpus, unsigned i, struct gput__gpu_info *ret);

    /* Reads what is asked for as far as it is there.  -ENODEV: the device was lost; other errors:
     * nothing of it could be read (-EACCES: not allowed). */
    int (*read)(void *gpus, unsigned i, unsigned what, struct gput__gpu_reading *ret);

    /* All processes that use the device, each pid once; replaces what is in `ret`.  Back ends that
     * find them through /proc read those of `job` only.  -ENOTSUP: the driver does not tell; -EACCES; -ENODEV. */
    int (*processes)(void *gpus, unsigned i, const pid_t *job, size_t n_job,
                     struct gput__gpu_processes *ret);

    /* The driver's history of utilisation since a moment (its own clock, microseconds since 1970),
     * oldest first.  NULL or -ENOTSUP: it keeps none; -ENODATA: nothing new. */
    int (*history)(void *gpus, unsigned i, int64_t since_us, gput__gpu_sample_fn *each, void *ctx);

    /* Joules since some moment in the past; expensive.  NULL or -ENOTSUP: no such counter. */
    int (*energy)(void *gpus, unsigned i, double *ret_joules);

    /* Utilisation of single processes, percent, since a moment; expensive.  NULL or -ENOTSUP: no
     * such. */
    int (*process_utilization)(void *gpus, unsigned i, int64_t since_us,
                               void (*each)(void *ctx, pid_t pid, int64_t time_us, double percent),
                               void *ctx);

    /* What the device did since the last call that returned 0 or -EAGAIN; expensive.  -EAGAIN: that
     * begins now; -EALREADY: too little time has passed since, ask later.  -ENOTSUP, -EACCES: the
     * driver tells nothing of it.  What of it the device does not tell, and why: `ret_why`, words that
     * last; NULL: it tells all that such devices do.  NULL: no such. */
    int (*work)(void *gpus, unsigned i, struct gput__gpu_work *ret, const char **ret_why);

    /* What the driver counts on and on; those of `which` that it has.  -ENOTSUP: none of them.
     * NULL: no such. */
    int (*counts)(void *gpus, unsigned i, unsigned which, struct gput__gpu_counts *ret);

    /* NULL is fine. */
    void (*close)(void *gpus);
};

/* The back ends in the order in which they are tried. */
extern const struct gput__gpu_ops gput__gpu_nvml, gput__gpu_amdgpu, gput__gpu_intel;

/* For back ends of the kernel's own drivers: whether there is a class/drm. */
int gput__gpu_drm_present(const struct gput__gpu_config *config, char *ret_why, size_t cap);

/* Appends a process, or adds to the one of the same pid.  -ENOMEM. */
int gput__gpu_add_process(struct gput__gpu_processes *p, pid_t pid, bool has_memory,
                          uint64_t memory);

#endif
