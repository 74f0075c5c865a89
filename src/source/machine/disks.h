/* disks.h - the disks of the machine: /sys/block without what is made of others. */
#ifndef GPUT_SOURCE_DISKS_H
#define GPUT_SOURCE_DISKS_H

#include <stdint.h>

#include "source/machine/sys_disk.h"

struct gput__disk {
    char name[GPUT__DISK_NAME];
    char model[64];    /* "": unknown */
    uint64_t size;     /* bytes */
    int is_rotational; /* 1, 0; -1: unknown */
};

/* Sorted by name; free() the list.  -ENOMEM.  No /sys/block: there are none. */
int gput__disks_read(const struct gput__root *sys, struct gput__disk **ret_list, unsigned *ret_n);

#endif
