/* run.h - a run as it is read afterwards: its figures, and how they moved. */
#ifndef GPUT_MODEL_RUN_H
#define GPUT_MODEL_RUN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gput.h"
#include "model/metric.h"

/* One GPU over the run. */
struct gput__run_gpu {
    char *name, *uuid;
    double *use;    /* percent, at each moment; NULL: not known */
    double *memory; /* bytes, used by all; likewise */
};

/* Moments with all that is known of each.  Levels are in bytes, percent and counts.  Counters are
 * given as their rate since the moment before: CPU in percent of one core, the others per second. */
struct gput__run_series {
    size_t n;
    double *time;                   /* seconds since 1970, rising */
    double *value[GPUT__N_METRICS]; /* n of each; NAN: not known then; NULL: never known */
    struct gput__run_gpu *gpus;
    size_t n_gpus;
};

struct gput__run {
    struct gput_usage usage; /* what is not known is unavailable; its strings are in `texts` */
    char *source;            /* the file that it was read from; NULL: straight from a tracker */
    char *kind;              /* what that file is, in words: "tracking file", "result of a run" */
    double start, end;       /* seconds since 1970; NAN: not known */
    double interval;         /* seconds from record to record; NAN: not known */
    uint64_t n_records;      /* that were made; the series may hold fewer */
    struct gput__run_series series;
    char *host, *os, *cpu_model; /* where it ran; NULL: not known */
    char *cloud_vendor, *instance_type, *region;
    char **texts; /* what usage points to, ended by NULL */
};

/* Whether anything is known of a series. */
bool gput__any_known(const double *values, size_t n);
/* The usual time from one moment to the next, the median; NAN: there are less than two. */
double gput__usual_step(const double *times, size_t n);
/* Of how many GPUs the sum of their percentages is; `largest` is the largest such sum. */
double gput__run_n_gpus(const struct gput__run *run, double largest);

/* Empties it. */
void gput__run_series_free(struct gput__run_series *s);
/* Clocks are set back: from there on times go on where they were. */
void gput__run_times_rise(double *time, size_t n);

/* Frees what is in it, not itself. */
void gput__run_free(struct gput__run *run);

#endif
