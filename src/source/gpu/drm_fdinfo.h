/* drm_fdinfo.h - what a DRM driver reports of one client in /proc/<pid>/fdinfo/<fd>, see the kernel's
 * Documentation/gpu/drm-usage-stats.rst.
 *
 * A client is one open of a device.  Descriptors that were duplicated or inherited are the same
 * client, so its figures show up again in other processes and must be taken once. */
#ifndef GPUT_SOURCE_DRM_FDINFO_H
#define GPUT_SOURCE_DRM_FDINFO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { GPUT__DRM_NAME = 24, GPUT__DRM_ENGINES = 16, GPUT__DRM_REGIONS = 16 };

/* One class of engines.  Counters may step back: a caller that compares two moments keeps the maximum. */
struct gput__drm_engine {
    char name[GPUT__DRM_NAME];
    bool has_ns, has_cycles, has_total_cycles;
    unsigned capacity;             /* engines in the class; 1 unless the driver says more */
    uint64_t ns;                   /* busy time */
    uint64_t cycles, total_cycles; /* busy, and the engine's clock at the same moment */
};

struct gput__drm_region { /* bytes */
    char name[GPUT__DRM_NAME];
    bool has_resident, has_total, has_shared;
    uint64_t resident;      /* drm-resident, or its older name drm-memory where that stands alone */
    uint64_t total, shared; /* total counts memory that is not backed yet, too */
};

struct gput__drm_client {
    char driver[GPUT__DRM_NAME];
    char pdev[GPUT__DRM_NAME]; /* PCI address; "" for a device that has none */
    bool has_id;
    uint64_t id; /* unique on its device */
    unsigned n_engines, n_regions;
    struct gput__drm_engine engines[GPUT__DRM_ENGINES];
    struct gput__drm_region regions[GPUT__DRM_REGIONS];
};

/* Lines that are not used or are malformed, a last line without its newline (it may be cut),
 * and engines and regions beyond the arrays are skipped.  -ENODATA: no drm-driver line, so not
 * a DRM descriptor or a driver that reports nothing. */
int gput__drm_fdinfo_parse(const char *text, struct gput__drm_client *ret);

/* Resident bytes of all regions whose names begin with one of `prefixes` (ended by NULL; NULL: of
 * all regions).  False: the driver reports no such region. */
bool gput__drm_client_memory(const struct gput__drm_client *c, const char *const *prefixes,
                             uint64_t *ret);

#endif
