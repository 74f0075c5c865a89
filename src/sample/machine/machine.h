/* machine.h - the whole machine, on request: processes, memory, CPU, disks, network.
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
#include "sample/machine/cores.h"
#include "sample/machine/devices.h"
#include "sample/machine/energy.h"
#include "sample/machine/pressure.h"
#include "sample/machine/space.h"

/* Written by machine.c alone. */
struct gput__machine {
    const struct gput__root *proc, *sys; /* the sampler's */
    struct gput__cores cores;
    int fd_meminfo, fd_diskstats, fd_net;
    struct gput__buf text; /* of the file that is being read */
    struct gput__devices disks, nets;
    bool knows_disks, knows_nets; /* at the last read */
    struct gput__space space;
    struct gput__pressure pressure;
    struct gput__energy energy;
    bool wants_waiting;  /* what tasks wait for, core by core, and swap */
    bool is_swap_unused; /* at the last read */
    struct {
        int fd;                  /* of /proc/vmstat */
        bool is_known, was_used; /* at the last read; swap, at the one before */
        double page;             /* bytes */
        double in, out;          /* bytes since boot */
    } swapped;
    uint64_t proc_links; /* of /proc, without those of processes; 0: unknown */
    unsigned n_reads;
};

/* The roots must outlive it.  `ask` NULL is statvfs(). */
void gput__machine_open(struct gput__machine *m, const struct gput__root *proc,
                        const struct gput__root *sys, gput__statvfs *ask);
void gput__machine_close(struct gput__machine *m);
/* From now on also what tasks wait for: pressure, swap, and how busy each core is; and the energy of the
 * processors. */
void gput__machine_want_waiting(struct gput__machine *m, unsigned n_cores);

/* All that is known of the machine now, SYSTEM_CPU and SYSTEM_RAM among it.  Bytes of disks and
 * interfaces count from the first call on.  Never waits for a file system: the space of the disks is
 * what they last answered. */
void gput__machine_read(struct gput__machine *m, struct gput__sample *ret);
/* Of that the bytes of disks and interfaces alone. */
void gput__machine_read_traffic(struct gput__machine *m, struct gput__sample *ret);
/* The next read has the space of the disks as it is now, if they answer within a moment. */
void gput__machine_finish(struct gput__machine *m);

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
