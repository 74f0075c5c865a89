/* sys_memory.c - /proc/meminfo: the machine's memory, bytes. */
#include "source/sys_memory.h"

#include <errno.h>

#include "base/scan.h"

/* Before Linux 3.14 there is no MemAvailable; what can be dropped at once stands in for it. */
static int available_of_old(const char *text, uint64_t *ret)
{
    uint64_t free_kib, buffers, cached;

    if (gput__scan_key(text, "MemFree:", &free_kib) < 0 ||
        gput__scan_key(text, "Buffers:", &buffers) < 0 ||
        gput__scan_key(text, "Cached:", &cached) < 0)
        return -EBADMSG;
    *ret = free_kib + buffers + cached;
    return 0;
}

int gput__sys_memory_parse(const char *text, struct gput__sys_memory *ret)
{
    uint64_t total, available;

    if (gput__scan_key(text, "MemTotal:", &total) < 0)
        return -EBADMSG;
    if (gput__scan_key(text, "MemAvailable:", &available) < 0 &&
        available_of_old(text, &available) < 0)
        return -EBADMSG;
    if (available > total || total > UINT64_MAX / 1024)
        return -EBADMSG;
    *ret = (struct gput__sys_memory){ .total = total * 1024, .available = available * 1024 };
    return 0;
}
