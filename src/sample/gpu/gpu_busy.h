/* gpu_busy.h - how busy GPUs were, each and the chosen ones together: steps added up over time.
 *
 * A sample says how busy a device was from the sample before it until its own moment, as drivers'
 * histories do.  Devices report at different moments, so the sums are taken between all of them. */
#ifndef GPUT_SAMPLE_GPU_BUSY_H
#define GPUT_SAMPLE_GPU_BUSY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One device; written by gpu_busy.c alone. */
struct gput__gpu_lane {
    bool counts; /* in the sum */
    struct gput__gpu_step {
        int64_t until_us;
        double percent;
    } * steps;
    size_t n, cap;
    int64_t newest_us;    /* of all steps ever taken, 0 none */
    double held;          /* the level after the last step */
    double integral, max; /* of this device alone: percent x microseconds */
};

/* All of them; written by gpu_busy.c alone. */
struct gput__gpu_busy {
    struct gput__gpu_lane *lanes;
    unsigned n;
    int64_t start_us, swept_us;
    double integral, max; /* of the sum of those that count */
};

int gput__gpu_busy_open(struct gput__gpu_busy *b, unsigned n, int64_t start_us);
void gput__gpu_busy_close(struct gput__gpu_busy *b);

/* Whether the device counts in the sum; none does at first. */
void gput__gpu_busy_count(struct gput__gpu_busy *b, unsigned lane, bool counts);
/* Counts from this moment on, before any of it was added up. */
void gput__gpu_busy_restart(struct gput__gpu_busy *b, int64_t start_us);

/* Steps that are not newer than the last one are skipped. */
int gput__gpu_busy_add(struct gput__gpu_busy *b, unsigned lane, int64_t until_us, double percent);
/* Adds up to the time that every device has reported. */
void gput__gpu_busy_sweep(struct gput__gpu_busy *b);
/* Adds up to the end; a device without a value for the last interval stays where it was. */
void gput__gpu_busy_finish(struct gput__gpu_busy *b, int64_t end_us);

/* Percent, over the time added up so far; 0 for none. */
double gput__gpu_busy_mean(const struct gput__gpu_busy *b);
double gput__gpu_lane_mean(const struct gput__gpu_busy *b, unsigned lane);

#endif
