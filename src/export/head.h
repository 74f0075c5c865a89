/* head.h - what all exported figures of a run have in common: which run it is, labels, times. */
#ifndef GPUT_EXPORT_HEAD_H
#define GPUT_EXPORT_HEAD_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "gput.h"

struct gput__export_head {
    const struct gput_usage *u; /* whose `run` is used */
    const char *command;        /* as it may be shown; NULL: not known */
    const char *labels;         /* lines of "key=value", for each figure; NULL: none */
    int64_t start_ns, now_ns;   /* since 1970; 0: not known */
    bool is_final;              /* the run is over */
    int rank;                   /* in a job of many; -1: not known */
};

/* One pair of lines of "key=value". */
struct gput__pair {
    const char *key, *value;
    size_t key_len, value_len;
};
/* Moves *lines behind the next pair; false: there is none. */
bool gput__pair_next(const char **lines, struct gput__pair *ret);

/* A whole number without its fraction; else as Python's repr() has it. */
void gput__export_number(double value, char ret[32]);

/* Whether a name will do for a label of Prometheus. */
bool gput__label_name_is_valid(const char *name, size_t n);

#endif
