/* machine.h - the whole machine, where somebody asks for it: processes, memory, CPU, disks, network.
 *
 * Nothing is opened and nothing read before gput__machine_open(). */
#ifndef GPUT_SAMPLE_MACHINE_H
#define GPUT_SAMPLE_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/root.h"
#include "model/sample.h"
#include "sample/machine/devices.h"
#include "sample/machine/space.h"

/* Written by machine.c alone. */
struct gput__machine {
    const struct gput__root *proc, *sys; /* the sampler's */
    int fd_stat, fd_meminfo, fd_diskstats, fd_net;
    struct gput__buf text; /* of the file that is being read */
    double tick_s;
    struct gput__devices disks, nets;
    bool knows_disks, knows_nets; /* at the last read */
    struct gput__space space;
    bool is_swap_unused; /* at the last read */
    uint64_t proc_links; /* of /proc, without those of processes; 0: they do not tell */
    unsigned n_reads;
};

/* The roots must outlive it.  `ask` NULL is statvfs(). */
void gput__machine_open(struct gput__machine *m, const struct gput__root *proc,
                        const struct gput__root *sys, gput__statvfs *ask);
void gput__machine_close(struct gput__machine *m);

/* All that is known of the machine now, SYSTEM_CPU and SYSTEM_RAM among it.  Bytes of disks and
 * interfaces count from the first call on.  Never waits for a file system: the space of the disks is
 * what they last told. */
void gput__machine_read(struct gput__machine *m, struct gput__sample *ret);
/* The next read tells the space of the disks as it is now, if they answer within a moment. */
void gput__machine_settle(struct gput__machine *m);

/* What is left out of the figures for good, and why; NULL: nothing is. */
const char *gput__machine_left_out(const struct gput__machine *m);

/* Disk by disk and volume by volume: what is counted and nothing else.  A volume is named by where it
 * is mounted, a ZFS pool by its own name. */
struct gput__machine_details {
    struct gput__disk_bytes {
        char name[GPUT__DEVICE_NAME];
        uint64_t read, written; /* since the disk is there, as the kernel counts */
    } * disks;
    size_t n_disks;
    struct gput__sys_volume *volumes; /* NULL: not known in time */
    size_t n_volumes;
};

/* As of the last read; file systems are waited for, at most so long. */
int gput__machine_describe(struct gput__machine *m, int64_t timeout_ns,
                           struct gput__machine_details *ret);
void gput__machine_details_free(struct gput__machine_details *d);

#endif
