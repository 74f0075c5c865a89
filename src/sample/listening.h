/* listening.h - whether the kernel's process events are worth what they cost.
 *
 * On a machine where others fork all the time they are not: then the youngest pid shows whether to
 * poll.  An event that wakes the tracker for nothing makes it ignore events for some records. */
#ifndef GPUT_SAMPLE_LISTENING_H
#define GPUT_SAMPLE_LISTENING_H

#include <stdbool.h>
#include <stdint.h>

#include "sample/sampler.h"
#include "sample/schedule.h"

struct gput__listening {
    int64_t second_ns;     /* when foreign births were last counted from 0 */
    int64_t deaf_until_ns; /* there were too many: no events until then; 0: there are events */
    int deaf_records, next_deaf; /* records until an event may wake us again; the next time */
};

/* Process events are on from here. */
void gput__listening_begin(struct gput__listening *l, struct gput__sampler *s, int64_t now);
/* Switches them off and on again. */
void gput__listening_weigh(struct gput__listening *l, struct gput__sampler *s, int64_t now);
/* What to wait for: readable when there was an event; -1: nothing. */
int gput__listening_fd(const struct gput__listening *l, const struct gput__sampler *s,
                       const struct gput__schedule *schedule);
/* An event woke us, and the poll has been made. */
void gput__listening_heard(struct gput__listening *l, bool moved);
/* A record has been made. */
void gput__listening_recorded(struct gput__listening *l);

#endif
