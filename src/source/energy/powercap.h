/* powercap.h - energy that the processors and their memory took: /sys/class/powercap (RAPL). */
#ifndef GPUT_SOURCE_POWERCAP_H
#define GPUT_SOURCE_POWERCAP_H

#include <stdbool.h>
#include <stdint.h>

#include "base/root.h"

enum { GPUT__MOST_ZONES = 64 };

/* A counter that begins anew once it has passed `range`. */
struct gput__powercap_zone {
    char folder[64];   /* below /sys */
    uint64_t range_uj; /* 0: not told */
};

struct gput__powercap {
    struct gput__powercap_zone zone[GPUT__MOST_ZONES];
    unsigned n;
    bool is_denied; /* there are some, and they may not be read */
};

/* The zones that add up to the energy of all processors: packages, and memory that is not in them.  Parts
 * of packages (core, uncore), the platform, which has packages in it (psys), and the same packages seen
 * another way (mmio) are left out. */
void gput__powercap_find(const struct gput__root *sys, struct gput__powercap *ret);

/* Whether a zone of such a folder and name counts: "intel-rapl:0" and "package-0". */
bool gput__powercap_counts(const char *folder, const char *name);

/* The text of energy_uj; -EBADMSG: it is none. */
int gput__powercap_parse(const char *text, uint64_t *ret_uj);

/* What was taken between two reads of a zone, once around at most. */
uint64_t gput__powercap_gained(const struct gput__powercap_zone *z, uint64_t then, uint64_t now);

#endif
