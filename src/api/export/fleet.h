/* fleet.h - jobs on many nodes for export: each rank is a run, and so is each node. */
#ifndef GPUT_API_EXPORT_FLEET_H
#define GPUT_API_EXPORT_FLEET_H

#include "analysis/fleet/fleet_job.h"
#include "api/export/material.h"

struct gput__export_fleet {
    struct gput__export_material *list; /* of all jobs: their ranks, then their nodes */
    size_t n;
    /* What the list points into: */
    struct gput__fleet fleet;
    struct gput__fleet_job *jobs;
    size_t n_jobs;
    char **ids; /* of each job */
};

/* The jobs in node files and folders.  `has_others`: other runs go into the same text.  Files that cannot
 * be used are warned of by `on`.  0 or a negative errno; gput__export_fleet_free() it in any case. */
int gput__export_fleet_read(const char *const *paths, size_t n, bool has_others,
                            const struct gput_export_options *o, const struct gput_callbacks *on,
                            struct gput__export_fleet *ret, struct gput_error *err);
void gput__export_fleet_free(struct gput__export_fleet *f);

#endif
