/* fleet.h - what the trackers of jobs on many nodes left, as it is read from their files.
 *
 * Sizes are bytes, times seconds, shares of CPU and GPU percent of one core and of one GPU.  NAN, -1 and
 * NULL: not known. */
#ifndef GPUT_MODEL_FLEET_H
#define GPUT_MODEL_FLEET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/names.h"

/* The format of node files that is read. */
#define GPUT__FLEET_SCHEMA 1

enum { GPUT__FLEET_COLUMNS = 5 };
/* The columns of a rank's series, */
enum { GPUT__RANK_RAM, GPUT__RANK_PSS, GPUT__RANK_CPU, GPUT__RANK_GPU, GPUT__RANK_GPU_RAM };
/* and of a node's. */
enum {
    GPUT__NODE_RAM_SYSTEM,
    GPUT__NODE_RAM_JOB,
    GPUT__NODE_CPU_SYSTEM,
    GPUT__NODE_GPU,
    GPUT__NODE_GPU_RAM,
};

/* Floats: a series is drawn and compared, and a file of a thousand nodes must fit in memory. */
struct gput__fleet_series {
    uint32_t n;
    float *t;                          /* since the file's clock.wall, rising */
    float *value[GPUT__FLEET_COLUMNS]; /* n of each, or NULL */
};

enum gput__fleet_ending {
    GPUT__FLEET_UNKNOWN,
    GPUT__FLEET_EXITED,
    GPUT__FLEET_SIGNALED,
    GPUT__FLEET_GONE,
    GPUT__FLEET_DETACHED,
    GPUT__FLEET_RUNNING,
    GPUT__FLEET_KILLED,
};

/* A GPU that a rank held. */
struct gput__fleet_held {
    int index;
    const char *uuid;
    double held, busy;
};

/* How a rank ended. */
struct gput__fleet_end {
    enum gput__fleet_ending how;
    int exit_code, signal;
    bool timed_out;
    const char *killed_for_memory; /* NULL: it was not */
    const char *limited_by;        /* what limited it most, as `bottlenecks` names it */
    double limited_share;
    bool is_stuck; /* a GPU of it was */
};

struct gput__fleet_rank {
    int rank, local_rank, pid;
    double start, end; /* by the node's wall clock */
    double wall_seconds, cpu_seconds, max_ram, max_pss, max_gpu_ram;
    double cores; /* that it could use */
    double disk_read, disk_write;
    struct gput__fleet_end ending;
    struct gput__fleet_held *gpus;
    uint32_t n_gpus;
    bool has_gpus; /* which GPUs it held is known */
    struct gput__fleet_series series;
};

/* A GPU of a node. */
struct gput__fleet_gpu {
    int index;
    const char *name, *uuid, *state;
    double mean_use, max_memory, memory, energy, xid_events;
};

struct gput__fleet_job_id {
    const char *id, *step, *launcher, *name, *array_job, *array_task;
    bool has_id;
    int restart, size, n_nodes;
};

struct gput__fleet_result {
    double ram_capacity, ram_at_start, max_ram_system, cores, cpu_seconds_system;
    double gpu_ram_capacity, max_gpu_ram_system, n_gpus;
    double disk_read, disk_write, net_received, net_sent, energy;
    double wall_seconds, cpu_seconds, sum_of_peak_ram, max_ram_job;
    const char *max_ram_job_source;
};

struct gput__fleet_clock {
    double wall, max_error;
    int synchronized; /* -1: not known */
};

/* One node file. */
struct gput__fleet_file {
    const char *path;
    const char *version, *command; /* of the tracker that measured the node; what it ran */
    const char *gathering;
    struct gput__fleet_job_id job;
    const char *node, *host, *boot_id;
    int node_index, local_size;
    struct gput__fleet_clock clock;
    double written;
    bool is_final;
    struct gput__fleet_rank *ranks;
    uint32_t n_ranks;
    struct gput__fleet_result result;
    struct gput__fleet_gpu *gpus;
    uint32_t n_gpus;
    struct gput__fleet_series series;
};

/* A file that could not be used, and why. */
struct gput__fleet_fault {
    char *text;       /* "PATH: ..." */
    bool is_harmless; /* it is no node file and was not asked for by its name */
};

struct gput__fleet {
    struct gput__names names; /* the texts of the files */
    struct gput__fleet_file *files;
    size_t n, cap;
    struct gput__fleet_fault *faults;
    size_t n_faults, cap_faults;
    /* Series are kept with so many points at most; written by fleet_files.c. */
    uint32_t rank_points, node_points;
};

void gput__fleet_series_free(struct gput__fleet_series *s);
/* At most `most` points: of two neighbours one has the lowest and one the highest value of what they
 * stand for, column by column, in the order in which they occurred. */
void gput__fleet_series_thin(struct gput__fleet_series *s, uint32_t most);
/* Frees what is in it, not itself. */
void gput__fleet_file_free(struct gput__fleet_file *f);
void gput__fleet_free(struct gput__fleet *fleet);

#endif
