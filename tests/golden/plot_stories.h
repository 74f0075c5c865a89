/* plot_stories.h - made-up runs for the tests of pictures. */
#ifndef PLOT_STORIES_H
#define PLOT_STORIES_H

#include "model/run.h"

struct plot_story {
    const char *name;
    void (*tell)(struct gput__run *run);
};

extern const struct plot_story plot_stories[]; /* ended by a NULL name */

/* A run of `n` records, `interval` seconds apart, of which nothing is known yet. */
void plot_story_begin(struct gput__run *run, size_t n, double interval);

/* The series of that metric, all unknown at first. */
double *plot_story_series(struct gput__run *run, enum gput__metric metric);

/* Must exist; frees what the story told. */
void plot_story_tell(const char *name, struct gput__run *ret);

#endif
