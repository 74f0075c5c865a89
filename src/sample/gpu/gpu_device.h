/* gpu_device.h - one GPU: what is kept of its driver's answers.
 *
 * The thread of gpus.c asks and keeps; everybody else reads, with its lock. */
#ifndef GPUT_SAMPLE_GPU_DEVICE_H
#define GPUT_SAMPLE_GPU_DEVICE_H

#include <stdbool.h>
#include <stdint.h>

#include "sample/gpu/gpu_busy.h"
#include "sample/gpu/gpu_works.h"
#include "source/gpu/gpu.h"

/* Memory in use by all processes, bytes; written by gpu_device.c alone. */
struct gput__gpu_memory {
    bool is_known;
    uint64_t used, first, max; /* now, at the start, at most */
};

/* Power, heat and clocks; written by gpu_device.c alone. */
struct gput__gpu_sensors {
    int64_t read_ns; /* when they were last read */
    bool has_power, has_temperature, has_clocks;
    double power_ws, power_s, max_power, max_temperature;
    unsigned max_clock, max_memory_clock;
    bool was_throttled;
    char throttle[64];
};

/* The counter of energy, joules; written by gpu_device.c alone. */
struct gput__gpu_energy {
    bool is_known;
    double first, last;
};

/* The processes that the driver names; written by gpu_device.c alone. */
struct gput__gpu_named {
    struct gput__gpu_processes all;
    int error;      /* 0, or why there are none */
    bool are_known; /* they were asked for, and need not be again */
};

/* How busy it is; written by gpu_device.c alone. */
struct gput__gpu_utilization {
    double percent; /* at the last reading */
    bool was_read;
    bool has_history;                  /* the driver's had something when it was last read */
    bool had_history;                  /* or ever */
    struct gput__gpu_step waiting[64]; /* readings, for the time that it does not cover */
    unsigned n_waiting;
};

/* How busy one process kept one device, as the driver samples it. */
struct gput__gpu_use {
    pid_t pid;
    double sum, max; /* percent */
    unsigned n;
};
#define GPUT__MOST_GPU_USES 64

/* The use of each process, up to a limit; written by gpu_device.c alone. */
struct gput__gpu_uses {
    struct gput__gpu_use list[GPUT__MOST_GPU_USES];
    unsigned n;
};

/* One GPU; written by gpu_device.c alone. */
struct gput__gpu_device {
    struct gput__gpu_info info;
    bool is_lost;
    struct gput__gpu_memory memory;
    struct gput__gpu_sensors sensors;
    struct gput__gpu_energy energy;
    struct gput__gpu_named processes;
    struct gput__gpu_utilization utilization;
    struct gput__gpu_uses uses;
    struct gput__gpu_works works;
};

/* `is_there` false: it was lost before it could be described. */
void gput__gpu_device_open(struct gput__gpu_device *d, const struct gput__gpu_info *info,
                           bool is_there);
void gput__gpu_device_close(struct gput__gpu_device *d);
void gput__gpu_device_lose(struct gput__gpu_device *d);
/* The job starts now: the next reading of memory is the level at its start. */
void gput__gpu_device_restart(struct gput__gpu_device *d);

/* Keeps a reading, at `now`; true: the device has more or less memory in use than before. */
bool gput__gpu_device_add(struct gput__gpu_device *d, const struct gput__gpu_reading *r,
                          int64_t now);
/* Keeps how busy it is now.  false: no room is left for readings that the history may replace. */
bool gput__gpu_device_add_percent(struct gput__gpu_device *d, int64_t time_us, double percent);
/* Adds the driver's history or, without one, the readings that wait. */
void gput__gpu_device_add_history(struct gput__gpu_device *d, const struct gput__gpu_step *steps,
                                  size_t n, struct gput__gpu_busy *busy, unsigned lane);

/* Takes over the list; `error` 0, or why there is none. */
void gput__gpu_device_set_processes(struct gput__gpu_device *d, struct gput__gpu_processes all,
                                    int error);
/* They are asked for again. */
void gput__gpu_device_doubt_processes(struct gput__gpu_device *d);

/* What it did since the last such reading, at `time_us`.  How busy a MIG instance was is known only so.
 * True: it is stuck, and was not yet known to be. */
bool gput__gpu_device_add_work(struct gput__gpu_device *d, const struct gput__gpu_work *reading,
                               int64_t time_us);
/* The driver does not tell it, or not all. */
void gput__gpu_device_miss_work(struct gput__gpu_device *d, const char *why);
/* How far the driver has counted; `is_first`: as the job starts.  True: it reported an error. */
bool gput__gpu_device_count(struct gput__gpu_device *d, const struct gput__gpu_counts *counts,
                            bool is_first);
/* A record is made now. */
void gput__gpu_device_record(struct gput__gpu_device *d);

void gput__gpu_device_set_uses(struct gput__gpu_device *d, const struct gput__gpu_uses *uses);
/* A sample of the use of one process, into uses that are not yet the device's. */
void gput__gpu_uses_add(struct gput__gpu_uses *u, pid_t pid, double percent);
/* `is_first`: as the job starts. */
void gput__gpu_device_set_energy(struct gput__gpu_device *d, double joules, bool is_first);

#endif
