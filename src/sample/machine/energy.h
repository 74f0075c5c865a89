/* energy.h - energy that the machine's processors took, and how much of it they take at rest. */
#ifndef GPUT_SAMPLE_ENERGY_H
#define GPUT_SAMPLE_ENERGY_H

#include "model/sample.h"
#include "source/energy/powercap.h"

/* Written by energy.c alone. */
struct gput__energy {
    struct gput__powercap found;
    struct gput__energy_counter {
        int fd;
        uint64_t uj;
        bool is_known;
    } counter[GPUT__MOST_ZONES];
    bool is_open, is_known; /* all zones have been read */
    bool
        is_doubtful; /* so long between two reads that a counter may have gone around more than once */
    double joules; /* since the first read */
    struct gput__energy_at {
        int64_t ns;
        double joules, busy_s;
    } last;
    double
        idle_watts; /* the least of an interval in which next to nobody ran; below 0: there was none */
    unsigned n_cores;
};

void gput__energy_begin(struct gput__energy *e, unsigned n_cores);
void gput__energy_close(struct gput__energy *e);
/* `now` on the boot clock; the CPU time of the machine is in the sample already. */
void gput__energy_read(struct gput__energy *e, const struct gput__root *sys, int64_t now,
                       struct gput__sample *ret);
/* Why nothing is known. */
const char *gput__energy_why(const struct gput__energy *e);

#endif
