/* watch.h - what the live page shows: a viewer of a tracker, and the rows that it has shown so far. */
#ifndef GPUT_API_SERVE_WATCH_H
#define GPUT_API_SERVE_WATCH_H

#include <stdbool.h>

#include "api/live/viewer.h"
#include "api/run/streams.h"
#include "model/run.h"

/* Written by watch.c alone. */
struct gput__watch {
    struct gput_viewer *viewer; /* becomes ours */
    struct gput_view view;      /* the newest */
    bool has_view;
    struct gput__streams rows;
    struct gput__sample before; /* where the last one ends */
    bool has_before;
    struct gput__run machine; /* its words for the machine */
    char *command;            /* without secrets; NULL: not known, or to be shown as it is */
    bool no_redact;
};

int gput__watch_open(struct gput__watch *w, struct gput_viewer *viewer, bool no_redact);
void gput__watch_close(struct gput__watch *w);

/* 1: there are new figures; 0: there are none. */
int gput__watch_read(struct gput__watch *w);
bool gput__watch_is_over(const struct gput__watch *w);

/* The run so far; good until the next read.  gput__watch_run_free() it. */
int gput__watch_run(const struct gput__watch *w, struct gput__run *ret);
void gput__watch_run_free(struct gput__run *run);

#endif
