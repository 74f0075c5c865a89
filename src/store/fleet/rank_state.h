/* rank_state.h - what one tracker of a gathering has stored: the pieces of the node's file, as it goes into
 * that file, and the figures that the pieces of all ranks give together. */
#ifndef GPUT_STORE_RANK_STATE_H
#define GPUT_STORE_RANK_STATE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

/* A moment of a rank: seconds since the gathering began; NAN where something is not known. */
enum gput__moment_value {
    GPUT__MOMENT_TIME,
    GPUT__MOMENT_RAM,
    GPUT__MOMENT_PSS,
    GPUT__MOMENT_CPU,
    GPUT__MOMENT_SYSTEM_RAM,
    GPUT__MOMENT_SYSTEM_CPU,
    GPUT__MOMENT_GPU,      /* the sum over the node's */
    GPUT__MOMENT_GPU_RAM,  /* of all processes */
    GPUT__MOMENT_HELD_GPU, /* the sum over those that the rank held */
    GPUT__MOMENT_OWN_GPU_RAM,
    GPUT__N_MOMENT_VALUES
};

struct gput__moments {
    size_t n;
    double *value[GPUT__N_MOMENT_VALUES]; /* n of each */
};

enum gput__rank_text {
    GPUT__RANK_ENDING,     /* "exited", as the file says it */
    GPUT__RANK_REST,       /* of its object, members behind those that are known here */
    GPUT__RANK_PROVENANCE, /* a list */
    GPUT__RANK_NODE,       /* members of the node's result that are of the whole machine */
    GPUT__RANK_GPUS,       /* the list of the node's GPUs */
    GPUT__RANK_RUN,        /* the object `run` */
    GPUT__RANK_JOB,        /* the object `job` */
    GPUT__RANK_PLACE,      /* the object `node` */
    GPUT__RANK_CLOCK,      /* members of `clock` that are not times */
    GPUT__N_RANK_TEXTS
};

enum gput__rank_number {
    GPUT__RANK_RANK, /* NAN: not known, here and below */
    GPUT__RANK_LOCAL,
    GPUT__RANK_N_LOCAL,
    GPUT__RANK_PID,
    GPUT__RANK_CODE,
    GPUT__RANK_SIGNAL,
    GPUT__RANK_START, /* wall clock */
    GPUT__RANK_START_BOOT,
    GPUT__RANK_WALL, /* seconds that it ran, and what it has used in that time: */
    GPUT__RANK_CPU,
    GPUT__RANK_MAX_RAM,
    GPUT__RANK_MAX_GPU_RAM,
    GPUT__RANK_MAX_PSS,
    GPUT__RANK_IS_FINAL,     /* 1: its tracker has told all */
    GPUT__RANK_MAY_NODE,     /* 1: it was elected to measure the node from its start */
    GPUT__RANK_SYNCHRONIZED, /* 1: the wall clock is */
    GPUT__N_RANK_NUMBERS
};

struct gput__rank_state {
    double number[GPUT__N_RANK_NUMBERS];
    char *text[GPUT__N_RANK_TEXTS]; /* JSON without a newline; NULL: not there */
    struct gput__moments moments;
    bool was_killed; /* found out by the reader: its tracker is gone and has not told all */
};

/* Makes room for n moments: 0 or -ENOMEM. */
int gput__moments_make(struct gput__moments *m, size_t n);

void gput__rank_state_init(struct gput__rank_state *s);
void gput__rank_state_free(struct gput__rank_state *s);
/* Appends it as lines of text; the buffer keeps an error. */
void gput__rank_state_print(const struct gput__rank_state *s, struct gput__buf *out);
/* -EBADMSG: that is no such text.  gput__rank_state_free() it in any case. */
int gput__rank_state_parse(const char *text, struct gput__rank_state *ret);

/* The few figures that a tracker tells each second, in a line: those from GPUT__RANK_WALL to
 * GPUT__RANK_MAX_PSS.  What is taken from it is newer than the rest. */
void gput__rank_line_print(const struct gput__rank_state *s, char *ret, size_t size);
void gput__rank_line_apply(const char *line, struct gput__rank_state *s);

#endif
