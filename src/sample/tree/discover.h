/* discover.h - which processes belong to the job: by the kernel's events, by its lists of children,
 * else by searching /proc. */
#ifndef GPUT_SAMPLE_DISCOVER_H
#define GPUT_SAMPLE_DISCOVER_H

#include "sample/tree/tree.h"

/* Nothing is known yet. */
void gput__births_open(struct gput__tree *tree);
void gput__births_close(struct gput__tree *tree);

/* New processes are reported by events from now on; -1: they are not. */
void gput__births_listen(struct gput__tree *tree, int events);
/* Those of others so far do not count any more. */
void gput__births_forget_foreign(struct gput__tree *tree);

/* Finds new processes. */
void gput__tree_discover(struct gput__tree *tree, int64_t now);
/* Only those that process events report. */
void gput__tree_hear(struct gput__tree *tree);
/* New processes may have been missed: the next poll finds them. */
void gput__tree_recheck(struct gput__tree *tree);
/* The next poll goes through /proc. */
void gput__births_rescan(struct gput__tree *tree);
/* The lists of all have been read. */
void gput__births_all_listed(struct gput__tree *tree);

/* From now on searches of /proc take no more than one part in `share` of the time. */
void gput__tree_scan_sparingly(struct gput__tree *tree, int64_t now, int64_t share);
/* The next poll may go through /proc if that is called for, whatever it costs. */
void gput__tree_scan_freely(struct gput__tree *tree);

/* Takes in a process if it is the job's and not known yet. */
void gput__tree_meet(struct gput__tree *tree, pid_t pid);
bool gput__tree_is_older(const struct gput__tree *tree, uint64_t starttime);

/* It is known not to be the job's; or no longer. */
void gput__births_set_foreign(struct gput__tree *tree, pid_t pid, bool is_foreign);
/* Main has, or had, a descendant; one has died; neither is so. */
void gput__births_had_descendant(struct gput__tree *tree);
void gput__births_had_death(struct gput__tree *tree);
void gput__births_had_none(struct gput__tree *tree);

#endif
