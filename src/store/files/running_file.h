/* running_file.h - the small file by which a running tracker is found.
 *
 * It lies in a folder of its user's alone, /tmp/gpu-tracker-UID or $GPUT_RUNNING_DIR, which outlives a
 * logout and is this machine's own, unlike most home folders.  Its tracker holds a lock on it for as long as it lives: a file
 * without that lock was left behind, and the next program that finds it removes it.  A viewer that reads it sets its
 * time: so the tracker knows that somebody watches. */
#ifndef GPUT_STORE_RUNNING_FILE_H
#define GPUT_STORE_RUNNING_FILE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>
#include <time.h>

#define GPUT__RUNNING_COMMAND 512

/* What stands in it. */
struct gput__running_info {
    pid_t tracker, pid;     /* pid 0: the machine alone */
    uid_t uid;              /* whose folder it lies in */
    uint64_t tracker_start; /* clock ticks since boot; with its pid the identity of the tracker */
    double since;           /* when tracking began, seconds since 1970 */
    int memory;             /* the tracker's descriptor of what viewers read, -1: not made yet */
    char command[GPUT__RUNNING_COMMAND]; /* "": it was attached to; cut where it is longer */
};

/* --- the tracker's side ---------------------------------------------------------------------- */

struct gput__running_file {
    int folder, fd; /* -1: there is none */
    char name[24];
    struct timespec seen; /* its time when it was last asked for */
};

void gput__running_file_init(struct gput__running_file *f);
/* Makes it for the calling process, which `info` then names.  Negative errno: there is no such folder
 * that is safe, or it cannot be written. */
int gput__running_file_make(struct gput__running_file *f, struct gput__running_info *info);
/* Viewers find the memory at this descriptor. */
int gput__running_file_set_memory(struct gput__running_file *f, int memory);
/* Whether a viewer has touched it since the last time that this was asked. */
bool gput__running_file_is_touched(struct gput__running_file *f);
void gput__running_file_remove(struct gput__running_file *f);

/* --- the viewers' ---------------------------------------------------------------------------- */

/* All of this user's, root: of all users; left ones are removed.  free() the list.  The number, or a
 * negative errno: -EPERM: the folder is somebody else's. */
int gput__running_files_list(struct gput__running_info **ret);
/* Whether its tracker is a process that can be seen: it is not of another pid namespace, nor over. */
bool gput__running_is_visible(const struct gput__running_info *info);
/* Tells the tracker that somebody watches, and reads the file again.  -ESRCH: there is no such one any
 * more. */
int gput__running_file_touch(struct gput__running_info *info);

/* Text apart from files. */
int gput__running_info_format(const struct gput__running_info *info, char *ret, size_t size);
int gput__running_info_parse(const char *text, size_t len, struct gput__running_info *ret);

#endif
