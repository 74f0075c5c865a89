/* cores.h - CPU time of the machine, and how busy each of its cores was between two reads. */
#ifndef GPUT_SAMPLE_CORES_H
#define GPUT_SAMPLE_CORES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/root.h"
#include "model/sample.h"

/* Written by cores.c alone. */
struct gput__cores {
    int fd; /* of /proc/stat */
    char *text;
    size_t size; /* of its memory */
    double tick_s;
    bool is_each_wanted; /* core by core */
    struct gput__core_time {
        uint64_t busy, all; /* ticks */
    } * last;               /* of each core, when it was last judged */
    unsigned n_last;
};

void gput__cores_open(struct gput__cores *c);
void gput__cores_close(struct gput__cores *c);
void gput__cores_want_each(struct gput__cores *c);
void gput__cores_read(struct gput__cores *c, const struct gput__root *proc,
                      struct gput__sample *ret);

#endif
