/* devices.h - byte counters of devices that come, go and begin anew: what was added to them. */
#ifndef GPUT_SAMPLE_DEVICES_H
#define GPUT_SAMPLE_DEVICES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* As long as any of the kernel's. */
#define GPUT__DEVICE_NAME 32

enum { GPUT__BYTES_IN, GPUT__BYTES_OUT, GPUT__N_WAYS };

/* Written by devices.c alone, but for two members. */
struct gput__device {
    char name[GPUT__DEVICE_NAME];
    uint64_t last[GPUT__N_WAYS], now[GPUT__N_WAYS]; /* as the kernel counts them */
    unsigned facts;                                 /* what it is; written by machine.c */
    bool counts; /* what it adds is added up; written by machine.c */
    bool is_new; /* at this moment for the first time, or it began anew: may be another one */
    bool is_here;
};

/* Written by devices.c alone. */
struct gput__devices {
    struct gput__device *list;
    size_t n, cap, next;
    uint64_t total[GPUT__N_WAYS]; /* bytes since the first moment; never falls */
    unsigned n_moments;
    bool changed;  /* at this moment: a device is new or has gone */
    bool unsteady; /* one that counts came, went or began anew later than at the first moment */
};

/* A moment: begin, see each device, decide who counts where `changed` or `is_new` say so, end.  What
 * a device shows at first sight is not added: it was there before.  A counter that fell began anew:
 * all that it shows is new. */
void gput__devices_begin(struct gput__devices *d);
/* NULL: no memory for it. */
struct gput__device *gput__devices_see(struct gput__devices *d, const char *name, uint64_t in,
                                       uint64_t out);
/* Those that were not seen have gone. */
void gput__devices_seen(struct gput__devices *d);
void gput__devices_end(struct gput__devices *d);

/* NULL: not here. */
const struct gput__device *gput__devices_find(const struct gput__devices *d, const char *name);
void gput__devices_free(struct gput__devices *d);

#endif
