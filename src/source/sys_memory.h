/* sys_memory.h - /proc/meminfo: the machine's memory, bytes. */
#ifndef GPUT_SOURCE_SYS_MEMORY_H
#define GPUT_SOURCE_SYS_MEMORY_H

#include <stdint.h>

struct gput__sys_memory {
    uint64_t total, available;
};

/* -EBADMSG: not such a file. */
int gput__sys_memory_parse(const char *text, struct gput__sys_memory *ret);

#endif
