/* points.h - what is exported of a run, whatever the format: a list of figures with names, units and labels.
 *
 * Names, help and units come from the table of metrics.  What is not known is not in the list. */
#ifndef GPUT_EXPORT_POINTS_H
#define GPUT_EXPORT_POINTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gput.h"
#include "model/metric.h"
#include "model/sample.h"

enum gput__point_kind { GPUT__POINT_GAUGE, GPUT__POINT_COUNTER };

struct gput__point {
    char family[80]; /* without "gpu_tracker_" and, of a counter, "_total" */
    enum gput__point_kind kind;
    const char *prefix, *help; /* one sentence together; `prefix` may be "" */
    const char *scope;         /* label; NULL: none */
    int gpu;                   /* index; -1: none */
    struct gput__metric_convention convention;
    double value; /* in base units */
};

struct gput__points {
    struct gput__point *list;
    size_t n, cap;
    int err; /* 0 or -ENOMEM */
};

void gput__points_add(struct gput__points *p, const struct gput__point *point);
void gput__points_free(struct gput__points *p);
/* Gives back room that it has for more. */
void gput__points_trim(struct gput__points *p);

/* The figures of a run so far or as a whole: peaks, totals, means, limits, GPUs, how it ended. */
void gput__points_of_usage(struct gput__points *p, const struct gput_usage *u);
/* The same where no process is tracked: GPUs, and the tracker itself. */
void gput__points_of_machine(struct gput__points *p, const struct gput_usage *u);
/* Levels of a moment, and what counters have gained since `first`, unless they are listed already. */
void gput__points_of_sample(struct gput__points *p, const struct gput__sample *first,
                            const struct gput__sample *now, bool is_of_machine);
/* The total or the peak of a metric, where no usage tells it; NAN: not known. */
void gput__points_of_total(struct gput__points *p, enum gput__metric m, double value);
void gput__points_of_peak(struct gput__points *p, enum gput__metric m, double value);
/* Use (percent) and memory (bytes) of GPU number `gpu` at a moment; NAN: not known. */
void gput__points_of_gpu(struct gput__points *p, int gpu, double use, double memory);

/* "memory_bytes" and "peak" give "memory_peak_bytes". */
void gput__point_name(char *ret, size_t size, const char *family, const char *what);
/* The unit that a family's name ends in ("bytes", "seconds", "ratio" ...); "": it is a number. */
const char *gput__point_unit(const char *family);

#endif
