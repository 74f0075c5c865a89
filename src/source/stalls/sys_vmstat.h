/* sys_vmstat.h - /proc/vmstat: what the machine swapped, and how often it killed for memory. */
#ifndef GPUT_SOURCE_SYS_VMSTAT_H
#define GPUT_SOURCE_SYS_VMSTAT_H

#include <stdbool.h>
#include <stdint.h>

/* Room for its text: a line for each of some 200 counters. */
#define GPUT__VMSTAT_SIZE 16384

struct gput__sys_vmstat {
    bool has_swap;                    /* the kernel is built with it */
    uint64_t swapped_in, swapped_out; /* pages, since boot */
    uint64_t oom_kills;               /* 0 before Linux 4.13 too */
};

/* Never fails: what is not there is absent. */
void gput__sys_vmstat_parse(const char *text, struct gput__sys_vmstat *ret);

#endif
