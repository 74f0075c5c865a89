/* cgroup_make.h - a control group for one job: made before it starts, removed when it has ended.
 *
 * The new group is a child of the maker's own, so that all limits of that one hold for it.  In version
 * 2 a group that holds processes gives its children no controllers but CPU time; then a group beside
 * the maker's own is made instead, provided that the own one sets no limits that would be escaped. */
#ifndef GPUT_SOURCE_CGROUP_MAKE_H
#define GPUT_SOURCE_CGROUP_MAKE_H

#include "source/cgroup/cgroup.h"

struct gput__cgroup_made {
    const struct gput__root *sys;
    struct gput__cgroup_place home;  /* the maker's own: remaining processes go back there */
    struct gput__cgroup_place place; /* the new one; no folder: none of this controller */
    int procs[GPUT__N_CGROUP_KINDS]; /* where a process enters, or -1; version 2: the first only */
    unsigned switched_on;            /* controllers of the parent, by us; a bit for each */
};

/* -ENODATA: no control groups here; others: why the system refused.  *ret_why is a sentence. */
int gput__cgroup_make(const struct gput__root *proc, const struct gput__root *sys,
                      struct gput__cgroup_made *ret, const char **ret_why);

/* The calling process enters; a bit for each of the controllers where that failed.  May be called
 * between vfork and exec. */
unsigned gput__cgroup_enter(const struct gput__cgroup_made *m);

/* Forgets the groups of these controllers, which no process entered. */
void gput__cgroup_drop(struct gput__cgroup_made *m, unsigned kinds);

/* Removes the group; processes that are left in it go back to the maker's own first.  0, or why it is
 * still there: -EBUSY. */
int gput__cgroup_remove(struct gput__cgroup_made *m);

#endif
