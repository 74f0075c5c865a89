/* model.h - what a viewer shows of a run: the figures of the tracker, and what follows from two looks
 * at them: the CPU use of each process, and the tree that they form. */
#ifndef CLI_TOP_MODEL_H
#define CLI_TOP_MODEL_H

#include "gput.h"

#include <stdbool.h>
#include <stddef.h>

/* One process of the tree. */
struct top_process {
    struct gput_live_process is;
    double cpu_percent; /* since the view before; NAN: it is new */
    double gpu_ram;     /* bytes, at most so far; NAN: none is known */
    int depth;          /* 0: its parent is not of the job */
    int parent;         /* its place in the list, -1: none */
    bool has_children;
};

/* Those that have ended. */
struct top_exited {
    double n; /* NAN: not known */
    double cpu_seconds;
};

struct top_model {
    struct gput_view view;
    struct top_process *processes; /* each behind its parent, children by their age */
    int n;
    struct top_exited exited;
    double polled_before;
    struct top_seen {
        pid_t pid;
        double cpu_seconds;
    } * seen; /* the view before, by pid */
    int n_seen;
};

/* Takes in what a viewer has read.  -ENOMEM. */
int top_model_update(struct top_model *m, const struct gput_view *view);
void top_model_free(struct top_model *m);

#endif
