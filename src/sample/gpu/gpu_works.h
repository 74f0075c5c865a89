/* gpu_works.h - what one GPU did over the run, from what its driver counted between readings. */
#ifndef GPUT_SAMPLE_GPU_WORKS_H
#define GPUT_SAMPLE_GPU_WORKS_H

#include <stdbool.h>

#include "model/gpu_work.h"

/* Values times seconds, and the seconds in which each is known. */
struct gput__gpu_work_sums {
    double sum[GPUT__N_GPU_WORK], seconds[GPUT__N_GPU_WORK];
};

/* What the driver counts on and on; written by gpu_works.c alone. */
struct gput__gpu_counted {
    uint32_t known; /* a bit for each */
    double first[GPUT__N_GPU_COUNTS], last[GPUT__N_GPU_COUNTS];
    unsigned last_xid; /* 0: none */
};

/* What the time went into; written by gpu_works.c alone. */
struct gput__gpu_time {
    double seconds[GPUT__N_GPU_KINDS], known; /* the seconds that they are of, 0: none */
    double stuck,
        stuck_watts; /* seconds in a row that it looks stuck; its power then, 0 not known */
    double clock, dense,
        clocked; /* share of the highest clock, times that of tensor cores: with seconds */
    double power_limit_watts; /* 0: not known */
};

/* A kernel that computes on one SM may look stuck for a while. */
#define GPUT__GPU_STUCK_S 30.0

/* Of one device; written by gpu_works.c alone. */
struct gput__gpu_works {
    struct gput__gpu_work_sums run, record; /* of the run so far; since the last record */
    double max[GPUT__N_GPU_WORK];
    struct gput__gpu_work shown; /* the means up to the last record */
    const char *why;             /* the driver tells no more; NULL: it tells all */
    struct gput__gpu_counted counted;
    struct gput__gpu_time time;
};

/* Keeps a reading; each counts as long as it is of.  True: with it the device is known to be stuck. */
bool gput__gpu_works_add(struct gput__gpu_works *w, const struct gput__gpu_work *from);
/* A record is made now: what was read since the last one is shown. */
void gput__gpu_works_record(struct gput__gpu_works *w);
/* Why the driver does not tell the rest. */
void gput__gpu_works_miss(struct gput__gpu_works *w, const char *why);
/* The job starts now: what was seen before is forgotten. */
void gput__gpu_works_restart(struct gput__gpu_works *w);
/* Keeps how far the driver has counted; `is_first`: as the job starts. */
void gput__gpu_works_count(struct gput__gpu_works *w, const struct gput__gpu_counts *counts,
                           bool is_first);

/* How much of what the driver counts fell into the run; NAN: not known. */
double gput__gpu_works_counted(const struct gput__gpu_works *w, int id);
/* Now. */
bool gput__gpu_works_is_stuck(const struct gput__gpu_works *w);
/* Over the run so far, NAN: not known. */
double gput__gpu_works_mean(const struct gput__gpu_works *w, int id);
double gput__gpu_works_max(const struct gput__gpu_works *w, int id);

#endif
