/* streams.h - the rows of a run: one for each record, told on the spot or kept over time. */
#ifndef GPUT_API_STREAMS_H
#define GPUT_API_STREAMS_H

#include <stdbool.h>
#include <stddef.h>

#include "gput.h"
#include "model/sample.h"
#include "summary/series.h"

/* The options with which records are rows too, of a stream or for a report. */
#define GPUT__STREAM_FLAGS (GPUT_STREAM_OF_SYSTEM | GPUT_STREAM_OF_PROCESS)
#define GPUT__ROW_FLAGS (GPUT__STREAM_FLAGS | GPUT_KEEP_SERIES)

/* Written by streams.c alone. */
struct gput__streams {
    bool has_row; /* the last one, and between which moments it lies: */
    struct gput__sample from, to;
    struct gput__series *series; /* NULL: none is kept */
    int fd;          /* the memory that it lies in and grows into; -1: it is all there */
    size_t at;       /* where in it */
    size_t own_size; /* of memory of our own */
};

/* How much memory the rows of the streams asked for take, 0: none are.  Where less than `most` is not
 * enough there are fewer rows, thinned out the earlier. */
size_t gput__streams_size(uint32_t flags, size_t most);

/* There are no rows yet. */
void gput__streams_init(struct gput__streams *s);
/* The series is in memory of that size, all zero.  -EPROTO: it does not hold a series. */
int gput__streams_open(struct gput__streams *s, struct gput__series *series, size_t size,
                       uint32_t flags, int fd, size_t at);

/* The same in memory of our own. */
int gput__streams_open_own(struct gput__streams *s, uint32_t flags);
void gput__streams_close(struct gput__streams *s);

/* A row for the time between two records. */
void gput__streams_record(struct gput__streams *s, const struct gput__sample *from,
                          const struct gput__sample *to, const struct gput__series_gpus *gpus);
/* The time after the last one is too short for a row. */
void gput__streams_rest(struct gput__streams *s, const struct gput__sample *from,
                        const struct gput__sample *to);

#endif
