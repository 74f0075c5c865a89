/* sys_disk.h - /proc/diskstats and /sys/block: what the machine's disks have read and written. */
#ifndef GPUT_SOURCE_SYS_DISK_H
#define GPUT_SOURCE_SYS_DISK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/root.h"

#define GPUT__DISK_NAME 32 /* as long as the kernel's own are, the NUL included */
/* The kernel counts in these, whatever the sectors of the disk are. */
#define GPUT__DISK_SECTOR 512

/* A line of /proc/diskstats: a disk, a partition, or a device on top of others. */
struct gput__sys_disk {
    char name[GPUT__DISK_NAME];
    uint64_t read, written; /* bytes since the device is there */
};

/* The next line that is one, and *text behind it; false: there is none any more. */
bool gput__sys_disk_next(const char **text, struct gput__sys_disk *ret);

enum gput__disk_kind {
    GPUT__DISK_OTHER, /* a partition, a device on top of others or in memory: not to be counted */
    GPUT__DISK_WHOLE, /* a CD-ROM too */
    GPUT__DISK_PATH, /* one of several ways to an NVMe disk: counts where the disk itself does not */
};

/* Whether there is a /sys/block to ask. */
bool gput__sys_disks_are_told(const struct gput__root *sys);
/* By name and by what /sys/block has of it. */
enum gput__disk_kind gput__sys_disk_kind(const struct gput__root *sys, const char *name);

/* The disk behind a path: nvme0n1 of nvme0c1n1. */
void gput__sys_disk_of_path(const char *path, char ret_name[GPUT__DISK_NAME]);

#endif
