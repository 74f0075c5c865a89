/* unwaited.h - CPU time of processes whose end nobody waits for.
 *
 * A parent that ignores SIGCHLD inherits nothing of its children: what they use is gone with them.
 * Where the kernel lets us, each gets a counter that outlives it (source/proc/task_clock.h), and so do all
 * who live when the first one is met, with whatever they fork: at the end that has also those whom
 * nobody ever saw.  Else their clocks are read often, and the rest is guessed. */
#ifndef GPUT_SAMPLE_UNWAITED_H
#define GPUT_SAMPLE_UNWAITED_H

#include "sample/tree/tree.h"

/* A process has just been found.  Whether it waits for its children is inherited, and so is a counter;
 * `parent` NULL: not known. */
void gput__unwaited_open_task(const struct gput__tree *tree, struct gput__task *t,
                              const struct gput__task_waiting *parent);
void gput__unwaited_close_task(struct gput__tree *tree, struct gput__task *t);
/* It has a new child: its status, at the next look, tells whether it waits.  NULL is fine. */
void gput__unwaited_ask(struct gput__tree *tree, struct gput__task *parent);
void gput__unwaited_apply_status(struct gput__task *t, bool ignores_children);
/* It was seen not to inherit what a child of its used. */
void gput__unwaited_lost_child(struct gput__task *t);

/* A process that has come or moved. */
void gput__unwaited_see(struct gput__tree *tree, struct gput__task *t);
/* Counts it from now on, if its time would be lost else. */
void gput__unwaited_count(struct gput__tree *tree, struct gput__task *t);

/* If there are such: counts all of the job from now on, whoever lives, with whatever it forks. */
void gput__unwaited_begin(struct gput__tree *tree);

/* It is over: its count is completed, or what nobody saw of it is guessed and returned. */
uint64_t gput__unwaited_rest(struct gput__tree *tree, struct gput__task *t,
                             const struct gput__task *parent);
/* A child of `parent` that was over before anybody looked at it. */
void gput__unwaited_missed(struct gput__tree *tree, pid_t parent);

/* Whether all from its parent up to main wait for their children. */
bool gput__unwaited_is_inherited(const struct gput__tree *tree, const struct gput__task *t);

/* Between looks: reads the clocks of those that have no counter, and finds who is new among them. */
void gput__unwaited_poll(struct gput__tree *tree);
/* Whether that is worth while, as the last look or poll has it. */
bool gput__unwaited_are_busy(const struct gput__tree *tree);

/* The run is over: what counters have of those whom nobody saw. */
void gput__unwaited_end(struct gput__tree *tree);
void gput__unwaited_close(struct gput__tree *tree);

#endif
