/* sys_space.h - statvfs(3): how large file systems are, and how full. */
#ifndef GPUT_SOURCE_SYS_SPACE_H
#define GPUT_SOURCE_SYS_SPACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/statvfs.h>

#include "source/machine/sys_mounts.h"

/* As statvfs(): 0, or -1 and errno. */
typedef int gput__statvfs(const char *path, struct statvfs *ret);

/* Bytes, as df shows them.  What is reserved for root is neither used nor free. */
struct gput__sys_space {
    uint64_t total, used, free;
};

/* -ENODATA: it has no blocks, so it is no file system that keeps files; or the errno. */
int gput__sys_space_read(gput__statvfs *ask, const char *point, struct gput__sys_space *ret);

/* A file system that counts, or all data sets of a ZFS pool. */
struct gput__sys_volume {
    const char *name; /* where it is mounted; of a pool a data set of it.  In the mounts' text */
    bool is_pool;
    bool is_part; /* what is mounted there is a folder of it */
    struct gput__sys_space space;
};

/* Adds up what the mounts answered: `answered[i]`: spaces[i] holds something.  Data sets
 * of one pool become one volume: what they use adds up, what is free is free for all.  An overlay
 * counts only if nothing of its size does.  `ret` has room for all mounts; returns how many. */
size_t gput__sys_volumes(const struct gput__sys_mounts *mounts,
                         const struct gput__sys_space *spaces, const bool *answered,
                         struct gput__sys_volume *ret);

#endif
