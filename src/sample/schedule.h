/* schedule.h - when to record and when to poll the job in between.  Knows no clock: the caller gives the
 * time.  Which of its processes a poll reads is decided in sample/tree/tree.c.
 *
 * Records come at absolute deadlines.  Polls in between follow activity: as often as a small share
 * of one core allows while processes come and go or take memory, and ten times a second once nothing
 * has moved for a quarter of a second; every other second where the kernel wakes us. */
#ifndef GPUT_SAMPLE_SCHEDULE_H
#define GPUT_SAMPLE_SCHEDULE_H

#include <stdbool.h>
#include <stdint.h>

#include "sample/allowance.h"

/* Written by schedule.c alone. */
struct gput__schedule {
    int64_t begin_ns;
    int64_t start_ns, period_ns; /* of records */
    int64_t next_record_ns;
    int64_t next_poll_ns; /* INT64_MAX: none wanted */
    int64_t moved_ns;     /* when something moved last */
    struct gput__allowance polls;
    int64_t shortest_ns; /* between two of them */
    int64_t share;       /* polls may take 1/share of the time */
    bool no_watch, is_frugal;
    bool is_quiet;  /* nothing has moved for a while, or all sleeps */
    bool is_asleep; /* the kernel wakes us when a process does */
};

void gput__schedule_begin(struct gput__schedule *s, int64_t now, int64_t period_ns, bool no_watch);

/* Only records are shown: polls in between may take a third of what they may else. */
void gput__schedule_be_frugal(struct gput__schedule *s);

/* Forked processes come and go: how their memory moves is only known from polls, so there are more of
 * them.  `is_lively` false: as usual. */
void gput__schedule_poll_more(struct gput__schedule *s, bool is_lively);

/* Records at multiples of the period from `grid_ns` on, which may lie before or behind us; the first
 * one is at least half a period away. */
void gput__schedule_align(struct gput__schedule *s, int64_t now, int64_t grid_ns);

/* When to wake up next. */
int64_t gput__schedule_next(const struct gput__schedule *s);
bool gput__schedule_record_due(const struct gput__schedule *s, int64_t now);

/* After a record: the next one is at the next deadline that lies ahead; those missed are skipped.  A
 * record of a sleeping job stands for its poll. */
void gput__schedule_recorded(struct gput__schedule *s, int64_t now);
/* After a poll: the CPU time that it cost, and whether it saw something move. */
void gput__schedule_polled(struct gput__schedule *s, int64_t now, int64_t cost_ns, bool moved);
/* The job is `asleep`, and will wake us: a poll now and then will do. */
void gput__schedule_set_asleep(struct gput__schedule *s, int64_t now, bool asleep);
/* Something may have moved: poll soon. */
void gput__schedule_saw_activity(struct gput__schedule *s, int64_t now);

#endif
