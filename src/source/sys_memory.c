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

/* All or nothing.  Before Linux 2.6.19 no part of the slab is told apart. */
static void parse_parts(const char *text, struct gput__sys_memory *ret)
{
    uint64_t free_kib, buffers, cached, slab = 0, active, inactive;
    const uint64_t most = UINT64_MAX / 1024 / 2;

    if (gput__scan_key(text, "MemFree:", &free_kib) < 0 ||
        gput__scan_key(text, "Buffers:", &buffers) < 0 ||
        gput__scan_key(text, "Cached:", &cached) < 0 ||
        gput__scan_key(text, "Active:", &active) < 0 ||
        gput__scan_key(text, "Inactive:", &inactive) < 0)
        return;
    (void)gput__scan_key(text, "SReclaimable:", &slab);
    if (free_kib > most || buffers > most || cached > most || slab > most || active > most ||
        inactive > most)
        return;
    ret->has_parts = true;
    ret->free = free_kib * 1024;
    ret->buffers = buffers * 1024;
    ret->cached = (cached + slab) * 1024;
    ret->active = active * 1024;
    ret->inactive = inactive * 1024;
}

static uint64_t parse_mapped(const char *text)
{
    uint64_t anon, files;
    const uint64_t most = UINT64_MAX / 1024 / 2;

    if (gput__scan_key(text, "AnonPages:", &anon) < 0 ||
        gput__scan_key(text, "Mapped:", &files) < 0 || anon > most || files > most)
        return 0;
    return (anon + files) * 1024;
}

/* The kernel may be built without. */
static void parse_swap(const char *text, struct gput__sys_memory *ret)
{
    uint64_t total, free_kib;

    if (gput__scan_key(text, "SwapTotal:", &total) < 0 ||
        gput__scan_key(text, "SwapFree:", &free_kib) < 0 || total > UINT64_MAX / 1024 ||
        free_kib > total)
        return;
    ret->swap_total = total * 1024;
    ret->swap_free = free_kib * 1024;
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
    parse_parts(text, ret);
    ret->mapped = parse_mapped(text);
    parse_swap(text, ret);
    return 0;
}
