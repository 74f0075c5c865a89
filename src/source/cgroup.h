/* cgroup.h - the limits that the control groups of a process set, versions 1 and 2. */
#ifndef GPUT_SOURCE_CGROUP_H
#define GPUT_SOURCE_CGROUP_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/root.h"

struct gput__cgroup {
    int version; /* of the memory controller: 0 none, 1, 2 */
    bool has_memory_limit, has_cpu_limit, has_oom_kills;
    uint64_t memory_limit; /* bytes: the least of the group's and its ancestors' */
    double cpu_limit;      /* cores, likewise */
    uint64_t oom_kills;    /* processes of the group killed for memory since it exists */
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

#endif
