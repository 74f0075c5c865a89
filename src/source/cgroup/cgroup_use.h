/* cgroup_use.h - what a control group has used, read again and again, versions 1 and 2. */
#ifndef GPUT_SOURCE_CGROUP_USE_H
#define GPUT_SOURCE_CGROUP_USE_H

#include "source/cgroup/cgroup.h"

enum gput__cgroup_value {
    GPUT__CGROUP_CPU_NS,
    GPUT__CGROUP_USER_NS,
    GPUT__CGROUP_SYSTEM_NS,
    GPUT__CGROUP_ANON, /* bytes, of the group and those below it */
    GPUT__CGROUP_SHMEM,
    GPUT__CGROUP_MAPPED_FILE, /* mapped shared memory included */
    GPUT__CGROUP_MEMORY_PEAK, /* the kernel's own peak, page cache included */
    GPUT__CGROUP_N_TASKS,     /* processes and threads, zombies included */
    GPUT__CGROUP_TASKS_PEAK,
    GPUT__CGROUP_READ_BYTES,
    GPUT__CGROUP_WRITTEN_BYTES,
    GPUT__CGROUP_OOM_KILLS,
    /* For so long, in microseconds, some or all of its tasks waited for a CPU, memory or a disk. */
    GPUT__CGROUP_CPU_SOME_US,
    GPUT__CGROUP_CPU_FULL_US,
    GPUT__CGROUP_MEMORY_SOME_US,
    GPUT__CGROUP_MEMORY_FULL_US,
    GPUT__CGROUP_IO_SOME_US,
    GPUT__CGROUP_IO_FULL_US,
    GPUT__N_CGROUP_VALUES,
};

/* One moment. */
struct gput__cgroup_use {
    unsigned known; /* a bit per value */
    uint64_t value[GPUT__N_CGROUP_VALUES];
};

static inline bool gput__cgroup_knows(const struct gput__cgroup_use *u, enum gput__cgroup_value v)
{
    return u->known >> v & 1;
}

/* --- text, apart from reading --------------------------------------------------------------- */

void gput__cgroup_parse_cpu_stat(const char *text, struct gput__cgroup_use *u); /* version 2 */
/* cpuacct.stat has in clock ticks how the time of cpuacct.usage was spent: read that one first. */
void gput__cgroup_parse_cpuacct_usage(const char *text, struct gput__cgroup_use *u);
void gput__cgroup_parse_cpuacct_stat(const char *text, struct gput__cgroup_use *u);
void gput__cgroup_parse_memory_stat(const char *text, struct gput__cgroup_use *u); /* both */
/* io.stat and blkio.throttle.io_service_bytes: bytes of all devices but those of which `leave_out`
 * says, given "MAJOR:MINOR", that they sit on others. */
struct gput__cgroup_disks {
    bool (*leave_out)(const void *ctx, const char *device);
    const void *ctx;
};
void gput__cgroup_parse_io_stat(const char *text, const struct gput__cgroup_disks *disks,
                                struct gput__cgroup_use *u);
void gput__cgroup_parse_blkio(const char *text, const struct gput__cgroup_disks *disks,
                              struct gput__cgroup_use *u);

/* --- files that stay open ------------------------------------------------------------------- */

#define GPUT__CGROUP_MOST_FILES 11

/* How much of it is read: each includes those before. */
enum gput__cgroup_depth {
    GPUT__CGROUP_POLL,   /* memory, and processes where the kernel keeps no peak of them */
    GPUT__CGROUP_RECORD, /* CPU time and pressure too */
    GPUT__CGROUP_ALL,
};

struct gput__cgroup_files {
    const struct gput__root *sys;
    const struct gput__cgroup_place *place;
    int fd[GPUT__CGROUP_MOST_FILES];
};

/* Opens nothing yet.  Both pointers are kept. */
void gput__cgroup_files_begin(struct gput__cgroup_files *f, const struct gput__root *sys,
                              const struct gput__cgroup_place *place);
void gput__cgroup_files_close(struct gput__cgroup_files *f);
/* What was read replaces what was known; what is not read at this depth or cannot be stays. */
void gput__cgroup_files_read(struct gput__cgroup_files *f, enum gput__cgroup_depth depth,
                             struct gput__cgroup_use *u);

/* Calls `each` for each process in a group.  -EBADMSG: it has a process of another pid namespace. */
int gput__cgroup_members(const struct gput__root *sys, const char *folder,
                         void (*each)(void *ctx, pid_t pid), void *ctx);

#endif
