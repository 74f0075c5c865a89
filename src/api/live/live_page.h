/* live_page.h - what a tracker shows viewers beside its shared snapshot: limits, the last row, processes.
 *
 * It lies behind the shared snapshot in the same memory, and is written in the same way: two slots in
 * turn, so that a reader finds a whole one at any time. */
#ifndef GPUT_API_LIVE_PAGE_H
#define GPUT_API_LIVE_PAGE_H

#include <stdatomic.h>
#include <stddef.h>

#include "gput.h"
#include "model/gpus.h"
#include "model/sample.h"

#define GPUT__LIVE_PROCESSES 2048

struct gput__live_slot {
    struct gput_live live;
    double polled;           /* seconds since the start of the run */
    double since;            /* when that was, seconds since 1970 */
    double interval;         /* seconds from record to record */
    struct gput__sample row; /* the last one: who keeps them has the run over time */
    uint32_t n_gpus;
    double gpus[GPUT__MOST_GPUS][2]; /* as in struct gput__series_gpus */
    int n_processes, n_left_out;
    char budget[1024]; /* the list of limits, "": there are none, or more than there is room for */
    struct gput_live_process processes[GPUT__LIVE_PROCESSES];
};

struct gput__live_page {
    char version[32];      /* of the program: of another one nothing is read */
    _Atomic uint64_t turn; /* how many slots were shown; the one shown is slots[turn & 1] */
    struct gput__live_slot slots[2];
};

/* The slot to be filled, and showing it. */
struct gput__live_slot *gput__live_page_next(struct gput__live_page *p);
void gput__live_page_show(struct gput__live_page *p);
/* Copies the slot that is shown.  -EAGAIN: none is; -EPROTO: what stands there cannot be. */
int gput__live_page_read(const struct gput__live_page *p, struct gput__live_slot *ret);

#endif
