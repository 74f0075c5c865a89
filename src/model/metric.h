/* metric.h - THE metric table: every quantity that a sample holds stands here once. */
#ifndef GPUT_MODEL_METRIC_H
#define GPUT_MODEL_METRIC_H

#include <stdbool.h>

enum gput__metric {
    GPUT__MAIN_RAM,
    GPUT__DESCENDANTS_RAM,
    GPUT__COMBINED_RAM,
    GPUT__SYSTEM_RAM,
    GPUT__MAIN_PRIVATE_RAM,
    GPUT__DESCENDANTS_PRIVATE_RAM,
    GPUT__COMBINED_PRIVATE_RAM,
    GPUT__MAIN_SHARED_RAM,
    GPUT__DESCENDANTS_SHARED_RAM,
    GPUT__COMBINED_SHARED_RAM,
    GPUT__MAIN_GPU_RAM,
    GPUT__DESCENDANTS_GPU_RAM,
    GPUT__COMBINED_GPU_RAM,
    GPUT__SYSTEM_GPU_RAM,
    GPUT__GPU_PERCENT,
    GPUT__MAIN_N_THREADS,
    GPUT__DESCENDANTS_N_THREADS,
    GPUT__COMBINED_N_THREADS,
    GPUT__N_PROCESSES,
    GPUT__SYSTEM_CPU,
    GPUT__MAIN_CPU,
    GPUT__DESCENDANTS_CPU,
    GPUT__COMBINED_CPU,
    /* The machine, where somebody asked for it: */
    GPUT__SYSTEM_N_PROCESSES,
    GPUT__SYSTEM_FREE_RAM,
    GPUT__SYSTEM_BUFFERS_RAM,
    GPUT__SYSTEM_CACHED_RAM,
    GPUT__SYSTEM_ACTIVE_RAM,
    GPUT__SYSTEM_INACTIVE_RAM,
    GPUT__DISK_SPACE_TOTAL,
    GPUT__DISK_SPACE_USED,
    GPUT__DISK_SPACE_FREE,
    GPUT__SYSTEM_GPUS_IN_USE,
    GPUT__SYSTEM_USER_CPU,
    GPUT__SYSTEM_KERNEL_CPU,
    GPUT__DISK_READ,
    GPUT__DISK_WRITE,
    GPUT__NET_RECEIVED,
    GPUT__NET_SENT,
    /* The job as a stream shows it: main with its descendants, or main alone. */
    GPUT__JOB_N_CHILDREN,
    GPUT__JOB_PSS,
    GPUT__JOB_GPU_PERCENT,
    GPUT__JOB_GPU_RAM,
    GPUT__JOB_GPUS_IN_USE,
    GPUT__JOB_CPU,
    GPUT__JOB_USER_CPU,
    GPUT__JOB_KERNEL_CPU,
    GPUT__JOB_DISK_READ,
    GPUT__JOB_DISK_WRITE,
    GPUT__N_METRICS,
};

/* The groups of three or four that belong together are laid out so that main, descendants and
 * combined follow each other: GPUT__MAIN_RAM + group. */
enum gput__group { GPUT__MAIN, GPUT__DESCENDANTS, GPUT__COMBINED, GPUT__N_GROUPS };

enum gput__unit_kind { GPUT__BYTES, GPUT__GPU_BYTES, GPUT__PERCENT, GPUT__COUNT, GPUT__SECONDS };

enum gput__metric_kind {
    GPUT__GAUGE,   /* a level at one moment: its maximum is of interest */
    GPUT__COUNTER, /* only grows: its rate between two moments is of interest */
};

struct gput__metric_info {
    const char *name; /* as in file headers and metrics exposition */
    enum gput__unit_kind unit;
    enum gput__metric_kind kind;
    const char *origin; /* where it is read */
};

extern const struct gput__metric_info gput__metrics[GPUT__N_METRICS];

/* How a counter is kept over time: as the rate, of which peaks are wanted, or as what it gained. */
bool gput__metric_is_rate(enum gput__metric m);
/* What a gain of 1 per second is as a rate: CPU time is told in percent of one core. */
double gput__metric_rate_unit(enum gput__metric m);

#endif
