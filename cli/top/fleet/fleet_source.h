/* fleet_source.h - the jobs of a fleet's folder, read again and again while they run. */
#ifndef CLI_TOP_FLEET_SOURCE_H
#define CLI_TOP_FLEET_SOURCE_H

#include "gput.h"

#include <stdbool.h>

struct top_fleet {
    const char *folder;
    struct gput_fleet *fleet;    /* NULL: nothing has been read yet */
    struct gput_fleet_job *jobs; /* the one that began last first */
    int n;
    double next;   /* a moment: it is not read before */
    char why[400]; /* it could not be read now; "": it was */
};

/* Reads it, unless that was a moment ago: what is there already stays where it cannot be read.  Jobs
 * and ranks of the time before are gone then. */
void top_fleet_read(struct top_fleet *f);
void top_fleet_close(struct top_fleet *f);
/* So soon after its start that some nodes may not have written their first file. */
bool top_fleet_is_early(const struct gput_fleet_job *job);
/* No rank of it runs, nor is one still to come. */
bool top_fleet_is_over(const struct gput_fleet_job *job);

#endif
