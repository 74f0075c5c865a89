/* cgroup.h - the control groups of a process, versions 1 and 2: where they are, and their limits. */
#ifndef GPUT_SOURCE_CGROUP_H
#define GPUT_SOURCE_CGROUP_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/root.h"

#define GPUT__CGROUP_PATH 1200

struct gput__cgroup {
    int version; /* of the memory controller: 0 none, 1, 2 */
    bool has_memory_limit, has_cpu_limit, has_oom_kills;
    uint64_t memory_limit;              /* bytes: the least of the group's and its ancestors' */
    double cpu_limit;                   /* cores, likewise */
    char cpu_folder[GPUT__CGROUP_PATH]; /* below /sys, of the group that sets it; "": none does */
    uint64_t oom_kills; /* processes of the group killed for memory since it exists */
};

/* The groups of `pid`, 0 for the caller's own.  Never fails: what cannot be read is absent. */
void gput__cgroup_read(const struct gput__root *proc, const struct gput__root *sys, pid_t pid,
                       struct gput__cgroup *ret);

/* The text of /proc/PID/cgroup, pid 0 for the caller's own; what the groups in such a text are
 * limited to. */
int gput__cgroup_text(const struct gput__root *proc, pid_t pid, char *ret, size_t cap);
void gput__cgroup_parse(const struct gput__root *sys, const char *text, struct gput__cgroup *ret);

/* The path of a controller in the text of /proc/<pid>/cgroup: "" names version 2.  NULL: none.
 * The path ends at a newline or NUL, its length is *ret_len. */
const char *gput__cgroup_path(const char *text, const char *controller, size_t *ret_len);

/* The controllers whose figures are read.  In version 2 all of them are in one folder. */
enum gput__cgroup_kind {
    GPUT__CGROUP_CPU, /* version 1: cpuacct */
    GPUT__CGROUP_MEMORY,
    GPUT__CGROUP_TASKS,    /* pids */
    GPUT__CGROUP_IO,       /* version 1: blkio */
    GPUT__CGROUP_PRESSURE, /* of version 2 alone, which may be mounted beside version 1 */
    GPUT__N_CGROUP_KINDS,
};

/* Where the group of each controller is. */
struct gput__cgroup_place {
    int version;                                          /* 0: none is mounted */
    char folder[GPUT__N_CGROUP_KINDS][GPUT__CGROUP_PATH]; /* below /sys; "": there is none */
    size_t mount[GPUT__N_CGROUP_KINDS];                   /* so much of it is the mount's */
};

/* The place of `pid`, 0 for the caller's own.  What is not mounted is absent. */
void gput__cgroup_find(const struct gput__root *proc, const struct gput__root *sys, pid_t pid,
                       struct gput__cgroup_place *ret);

/* The group's path as /proc/<pid>/cgroup names it: the memory controller's, else the first there is. */
const char *gput__cgroup_name(const struct gput__cgroup_place *place);

#endif
