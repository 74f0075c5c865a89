/* sys_memory.h - /proc/meminfo: the machine's memory, bytes. */
#ifndef GPUT_SOURCE_SYS_MEMORY_H
#define GPUT_SOURCE_SYS_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

struct gput__sys_memory {
    uint64_t total, available;
    bool has_parts; /* what it is used for is known as well: */
    uint64_t free, buffers, active, inactive;
    uint64_t mapped; /* by processes, each page once: anonymous, of files, shared; 0: unknown */
    uint64_t cached; /* pages of files, and what the kernel could give back of its own (slab) */
    uint64_t swap_total, swap_free; /* 0: there is none */
};

/* -EBADMSG: not such a file. */
int gput__sys_memory_parse(const char *text, struct gput__sys_memory *ret);

#endif
