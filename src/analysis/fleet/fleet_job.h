/* fleet_job.h - one job step of a fleet, from the files of its nodes.
 *
 * NAN and -1: not known, as in model/fleet/fleet.h. */
#ifndef GPUT_ANALYSIS_FLEET_JOB_H
#define GPUT_ANALYSIS_FLEET_JOB_H

#include "model/fleet/fleet.h"

/* Lowest to highest of ranks or nodes. */
struct gput__spread {
    size_t n; /* of how many it is known */
    double min, median, max, mean;
    size_t at_min, at_max; /* the places in the list */
};

/* How far the heaviest is above the mean: max / mean - 1; NAN: not known. */
double gput__spread_imbalance(const struct gput__spread *s);

/* A rank of the job. */
struct gput__job_rank {
    const struct gput__fleet_file *file;
    const struct gput__fleet_rank *rank;
    size_t node;               /* the place among the job's nodes */
    double start, end;         /* by the job's clock: those of its node put right */
    double gpu_held, gpu_busy; /* over the GPUs that it held */
    bool is_twice;             /* another one has its number */
};

/* A node of the job. */
struct gput__job_node {
    const char *name;
    int index;
    const struct gput__fleet_file *const *files; /* in the order of their ranks */
    size_t n_files;
    size_t n_ranks;
    int local_size;    /* ranks that the launcher said */
    double start, end; /* by the job's clock */
    double cores;      /* that the ranks could use */
    double max_ram_system, ram_capacity, cpu_seconds_system, max_ram_job, cpu_seconds;
    double gpu_held, gpu_busy; /* a GPU that ranks share counts once */
    double clock_ahead;        /* seconds by which its clock is wrong; 0: no such sign */
    bool is_final;             /* no rank ran when the last of its files was written */
};

/* Numbers that are missing: from ... to. */
struct gput__fleet_range {
    int from, to;
};

struct gput__fleet_missing {
    struct gput__fleet_range *range;
    size_t n, cap, n_missing;
};

struct gput__fleet_totals {
    double start, end, wall_seconds;
    double cpu_seconds, cpu_seconds_given;
    double max_ram_at_once, max_ram_when; /* seconds from the start */
    double sum_of_node_peaks, sum_of_peak_ram;
    bool is_ram_shared_once; /* all nodes count shared memory once */
    double gpu_seconds_held, gpu_seconds_busy;
    double energy, disk_read, disk_write, net_received, net_sent;
};

/* What ranks are compared by. */
enum gput__fleet_figure {
    GPUT__FLEET_WALL,
    GPUT__FLEET_CPU, /* mean, percent of one core */
    GPUT__FLEET_RAM,
    GPUT__FLEET_GPU, /* mean, percent of the GPUs held */
    GPUT__FLEET_FIGURES,
};
extern const char *const gput__fleet_figure_names[GPUT__FLEET_FIGURES];

struct gput__straggler {
    size_t rank; /* the place among the job's ranks */
    enum gput__fleet_figure figure;
    double value, median; /* of those of `once`: in the window where it is farthest off */
    bool is_chronic;
    bool is_node_wide; /* most ranks of its node are */
    double from, to;   /* of `once`: the window, seconds from the start */
};

enum gput__fleet_failing {
    GPUT__FAILED_EXIT,
    GPUT__FAILED_SIGNAL,
    GPUT__FAILED_MEMORY,
    GPUT__FAILED_TIMEOUT,
    GPUT__FAILED_KILLED,  /* the tracker was, mostly with its job */
    GPUT__FAILED_RUNNING, /* no file says how it ended */
    GPUT__FAILED_GPU,     /* a GPU was stuck */
    GPUT__FAILED_XID,     /* the driver reported errors of a GPU that it held */
    GPUT__FLEET_FAILINGS,
};
extern const char *const gput__fleet_failing_names[GPUT__FLEET_FAILINGS];

struct gput__fleet_failure {
    size_t rank;
    enum gput__fleet_failing what;
    int number; /* exit code, signal, or how many errors */
    double at;  /* seconds from the job's start */
};

/* What is compared of ranks and of nodes; of ranks first. */
struct gput__fleet_spreads {
    struct gput__spread wall, cpu_seconds, cpu_percent, max_ram, max_gpu_ram, gpu_busy; /* ranks */
    struct gput__spread node_ram_system, node_ram_job, node_cpu_seconds, node_gpu_busy; /* nodes */
    struct gput__spread start, end; /* of ranks, seconds from the job's start */
};

struct gput__fleet_job {
    const struct gput__fleet_job_id *id;
    const char *command;
    struct gput__job_rank *ranks; /* by number */
    size_t n_ranks;
    struct gput__job_node *nodes; /* by index, else by name */
    size_t n_nodes;
    const struct gput__fleet_file **files; /* of all nodes */
    size_t n_files;
    int expected_ranks, expected_nodes;
    struct gput__fleet_missing missing_ranks, missing_nodes;
    size_t n_missing_nodes; /* also where no node has an index */
    struct gput__fleet_totals totals;
    struct gput__fleet_spreads spread;
    struct gput__straggler *stragglers;
    size_t n_stragglers, cap_stragglers;
    struct gput__fleet_failure *failures;
    size_t n_failures, cap_failures;
    size_t n_failed_ranks; /* one may have failed in several ways */
};

/* The jobs of a fleet, which must live as long.  0 or -ENOMEM. */
int gput__fleet_jobs(const struct gput__fleet *fleet, struct gput__fleet_job **ret, size_t *ret_n);
void gput__fleet_jobs_free(struct gput__fleet_job *jobs, size_t n);

/* No rank and no node of it is missing or failed. */
bool gput__fleet_job_is_complete(const struct gput__fleet_job *job);

/* --- its parts, each in a file of its own ---------------------------------------------------- */

/* missing.c: numbers of 0 ... expected - 1 that `has` lacks; n of them, sorted, with -1 first. */
int gput__fleet_find_missing(const int *has, size_t n, int expected,
                             struct gput__fleet_missing *ret);
/* clocks.c: whose clock is ahead, and the ranks' times put right. */
int gput__fleet_job_clocks(struct gput__fleet_job *job);
/* totals.c */
int gput__fleet_job_totals(struct gput__fleet_job *job);
/* memory.c: the largest sum over all files at one moment. */
int gput__fleet_job_memory(struct gput__fleet_job *job);
/* spread.c */
int gput__fleet_job_spreads(struct gput__fleet_job *job);
/* stragglers.c */
int gput__fleet_job_stragglers(struct gput__fleet_job *job);
/* failures.c */
int gput__fleet_job_failures(struct gput__fleet_job *job);

/* A rank's value of a figure. */
double gput__fleet_figure_of(const struct gput__job_rank *r, enum gput__fleet_figure figure);

#endif
