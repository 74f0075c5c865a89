/* sys_mounts.h - /proc/self/mountinfo: the file systems on this machine's disks, each once. */
#ifndef GPUT_SOURCE_SYS_MOUNTS_H
#define GPUT_SOURCE_SYS_MOUNTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum gput__mount_kind {
    GPUT__MOUNT_OTHER, /* no local disk: pseudo, memory, network, an image in a file */
    GPUT__MOUNT_DISK,
    GPUT__MOUNT_POOL,    /* a data set of ZFS: those of one pool share what is free */
    GPUT__MOUNT_OVERLAY, /* at "/": shows what is under it, which may be mounted here too */
};

/* The strings are in the text that it was read from. */
struct gput__sys_mount {
    char *point, *type, *source;
    uint64_t device; /* major << 32 | minor */
    bool is_whole;   /* the root of the file system, not a folder of it */
    enum gput__mount_kind kind;
};

/* The next line that is one, and *text behind it; the text is cut into words on the way.  false:
 * there is none any more. */
bool gput__sys_mount_next(char **text, struct gput__sys_mount *ret);

struct gput__sys_mounts {
    struct gput__sys_mount *list;
    size_t n, cap;
};

/* Those whose space counts.  Where that is none at all it is "/", whatever that is: a machine has at
 * least the file system that it runs from.  `text` is cut up and must live as long as the list, of
 * which only `list` is to be freed.  -ENOMEM. */
int gput__sys_mounts_choose(char *text, struct gput__sys_mounts *ret);
/* None of them can block a thread that asks for its space: each is "/" or lies in it, and all are of
 * kinds that answer at once. */
bool gput__sys_mounts_are_prompt(const struct gput__sys_mounts *mounts);

#endif
