/* watched.h - a tracker that viewers of the same user can find and watch. */
#ifndef GPUT_API_WATCHED_H
#define GPUT_API_WATCHED_H

#include "api/inside/shared_snapshot.h"
#include "api/live/live_page.h"
#include "store/files/running_file.h"

/* Written by watched.c alone. */
struct gput__watched {
    struct gput__running_file file;
    struct gput__shared *shared; /* NULL: nobody has watched yet */
    struct gput__live_page *page;
    size_t size;
    int memory;         /* its descriptor */
    int64_t next_ns;    /* when to ask again whether somebody watches */
    int64_t until_ns;   /* somebody does, until then */
    int64_t shown_ns;   /* when figures were last shown */
    bool is_impossible; /* there is no memory for it */
    bool is_served;     /* a process beside us watches all the time */
};

/* Before the job runs: makes the memory, for a process that is forked next and watches all the time. */
int gput__watched_serve(struct gput_tracker *t);
/* The job runs: from here on it can be found.  Where that fails it cannot, and nothing else changes. */
void gput__watched_begin(struct gput_tracker *t);
/* At each tick: shows what there is to who watches. */
void gput__watched_tick(struct gput_tracker *t, int64_t now);
/* The run is over: the last figures. */
void gput__watched_end(struct gput_tracker *t);
void gput__watched_close(struct gput_tracker *t);

#endif
