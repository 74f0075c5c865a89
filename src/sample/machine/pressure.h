/* pressure.h - for how long tasks of the machine waited for a CPU, memory or a disk. */
#ifndef GPUT_SAMPLE_PRESSURE_H
#define GPUT_SAMPLE_PRESSURE_H

#include "base/root.h"
#include "model/sample.h"

/* Written by pressure.c alone. */
struct gput__pressure {
    int fd[3];
    bool is_absent; /* the kernel has none, or it is switched off */
};

void gput__pressure_open(struct gput__pressure *p);
void gput__pressure_close(struct gput__pressure *p);
void gput__pressure_read(struct gput__pressure *p, const struct gput__root *proc,
                         struct gput__sample *ret);

#endif
