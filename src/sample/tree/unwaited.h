/* unwaited.h - CPU time of processes without a waiting parent.
 *
 * A parent that ignores SIGCHLD inherits nothing of its children: what they use is gone with them.
 * Where the kernel allows it, each gets a counter that outlives it (source/proc/task_clock.h), and so
 * do all processes that live when the first one is met, with those that they fork: these counters
 * include processes that were never seen.  Else clocks are read often, and the rest is estimated. */
#ifndef GPUT_SAMPLE_UNWAITED_H
#define GPUT_SAMPLE_UNWAITED_H

#include "sample/tree/tree.h"

/* A process has just been found.  Whether it waits for its children is inherited, and so is a counter;
 * `parent` NULL: not known, but all had one. */
void gput__unwaited_open_task(const struct gput__tree *tree, struct gput__task *t,
                              const struct gput__task_waiting *parent);
void gput__unwaited_close_task(struct gput__tree *tree, struct gput__task *t);
/* It has a new child: its status, at the next poll, shows whether it waits.  NULL is fine. */
void gput__unwaited_ask(struct gput__tree *tree, struct gput__task *parent);
void gput__unwaited_apply_status(struct gput__task *t, bool ignores_children);
/* It was seen not to inherit what a child of its used. */
void gput__unwaited_lost_child(struct gput__task *t);

/* A process that has come or moved. */
void gput__unwaited_see(struct gput__tree *tree, struct gput__task *t);
/* Counts it from now on, if its time would be lost else. */
void gput__unwaited_count(struct gput__tree *tree, struct gput__task *t);

/* If there are such: counts all processes of the job from now on, with those that they fork. */
void gput__unwaited_begin(struct gput__tree *tree);

/* It is over: its count is completed, or what was not seen of it is estimated and returned. */
uint64_t gput__unwaited_rest(struct gput__tree *tree, struct gput__task *t,
                             const struct gput__task *parent);
/* A child of `parent` that exited before it was polled. */
void gput__unwaited_missed(struct gput__tree *tree, pid_t parent);

/* Whether all from its parent up to main wait for their children. */
bool gput__unwaited_is_inherited(const struct gput__tree *tree, const struct gput__task *t);

/* Between polls: reads the clocks of those that have no counter, and finds new ones. */
void gput__unwaited_probe(struct gput__tree *tree);
/* Whether that is worth while, as the last poll or probe has it. */
bool gput__unwaited_are_busy(const struct gput__tree *tree);

/* The run is over: adds what counters have of processes that were not seen. */
void gput__unwaited_end(struct gput__tree *tree);
void gput__unwaited_close(struct gput__tree *tree);

#endif
