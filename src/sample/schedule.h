/* schedule.h - when to record and when to look in between.  Knows no clock: it is told the time.
 *
 * Records come at absolute deadlines.  Looks in between follow activity: as often as a small share
 * of one core allows while processes come and go or take memory, and ten times a second once nothing
 * has moved for some seconds; every other second where the kernel wakes us. */
#ifndef GPUT_SAMPLE_SCHEDULE_H
#define GPUT_SAMPLE_SCHEDULE_H

#include <stdbool.h>
#include <stdint.h>

#include "sample/budget.h"

/* Written by schedule.c alone. */
struct gput__schedule {
    int64_t begin_ns;
    int64_t start_ns, period_ns; /* of records */
    int64_t next_record_ns;
    int64_t next_look_ns; /* INT64_MAX: none wanted */
    int64_t moved_ns;     /* when something moved last */
    struct gput__budget looks;
    int64_t shortest_ns; /* between two of them */
    int64_t share;       /* what looks may take: one part in so many */
    bool no_watch, is_frugal;
    bool is_quiet;  /* nothing has moved for a while */
    bool is_asleep; /* and we shall be told when somebody does */
};

void gput__schedule_begin(struct gput__schedule *s, int64_t now, int64_t period_ns, bool no_watch);

/* Only records are shown: looks in between may take a quarter of what they may else. */
void gput__schedule_be_frugal(struct gput__schedule *s);

/* Forked processes come and go: how their memory moves is only known from looks, so there are more of
 * them.  `is_lively` false: as usual. */
void gput__schedule_hurry(struct gput__schedule *s, bool is_lively);

/* Records at multiples of the period from `grid_ns` on, which may lie before or behind us; the first
 * one is at least half a period away. */
void gput__schedule_align(struct gput__schedule *s, int64_t now, int64_t grid_ns);

/* When to wake up next. */
int64_t gput__schedule_next(const struct gput__schedule *s);
bool gput__schedule_record_due(const struct gput__schedule *s, int64_t now);

/* After a record: the next one is at the next deadline that lies ahead; those missed are skipped. */
void gput__schedule_recorded(struct gput__schedule *s, int64_t now);
/* After a look that cost so much CPU time and saw something move or not. */
void gput__schedule_looked(struct gput__schedule *s, int64_t now, int64_t cost_ns, bool moved);
/* The job is `asleep`, and will wake us: in quiet times a look now and then will do. */
void gput__schedule_rest(struct gput__schedule *s, int64_t now, bool asleep);
/* Something moved, as far as anybody knows: look soon. */
void gput__schedule_stir(struct gput__schedule *s, int64_t now);

#endif
