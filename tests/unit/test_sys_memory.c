/* test_sys_memory.c - the machine's memory, from /proc/meminfo. */
#include "source/machine/sys_memory.h"

#include <errno.h>
#include <string.h>

#include "tap.h"

static void present_kernels(void)
{
    struct gput__sys_memory m;

    OK(gput__sys_memory_parse("MemTotal:       1000 kB\nMemFree:         100 kB\n"
                              "MemAvailable:    400 kB\nBuffers:          50 kB\n"
                              "Cached:          200 kB\nSwapCached:        7 kB\n",
                              &m) == 0 &&
           m.total == 1000 * 1024 && m.available == 400 * 1024,
       "total and available");
    OK(gput__sys_memory_parse("MemTotal: 5 kB\nMemAvailable: 5 kB\n", &m) == 0 &&
           m.available == m.total,
       "all of it");
}

static void old_kernels(void)
{
    struct gput__sys_memory m;

    OK(gput__sys_memory_parse("MemTotal:       1000 kB\nMemFree:         100 kB\n"
                              "Buffers:          50 kB\nSwapCached:      900 kB\n"
                              "Cached:          200 kB\n",
                              &m) == 0 &&
           m.total == 1000 * 1024 && m.available == 350 * 1024,
       "before Linux 3.14: free, buffers and cached");
}

/* The order of the lines is the kernel's, and some keys are the beginning or the end of others. */
static void what_it_is_used_for(void)
{
    static const char present[] =
        "MemTotal:       1000 kB\nMemFree:         100 kB\nMemAvailable:    400 kB\n"
        "Buffers:          50 kB\nCached:          200 kB\nSwapCached:        7 kB\n"
        "Active:          300 kB\nInactive:        250 kB\nActive(anon):     11 kB\n"
        "Inactive(anon):   12 kB\nSReclaimable:     30 kB\n";
    struct gput__sys_memory m;

    OK(gput__sys_memory_parse(present, &m) == 0 && m.has_parts && m.free == 100 * 1024 &&
           m.buffers == 50 * 1024 && m.cached == 230 * 1024 && m.active == 300 * 1024 &&
           m.inactive == 250 * 1024,
       "free, buffers, cached with what the kernel can give back, active, inactive");
    OK(gput__sys_memory_parse("MemTotal: 9 kB\nMemFree: 1 kB\nMemAvailable: 4 kB\nBuffers: 2 kB\n"
                              "Cached: 3 kB\nActive: 5 kB\nInactive: 6 kB\n",
                              &m) == 0 &&
           m.has_parts && m.cached == 3 * 1024,
       "before Linux 2.6.19: no such part of the slab is told");
    OK(gput__sys_memory_parse("MemTotal: 9 kB\nMemFree: 1 kB\nMemAvailable: 4 kB\nBuffers: 2 kB\n"
                              "Cached: 3 kB\nActive: 5 kB\n",
                              &m) == 0 &&
           !m.has_parts && m.available == 4 * 1024,
       "one of them missing: none is known, but the rest is");
    OK(gput__sys_memory_parse("MemTotal: 9 kB\nMemFree: 1 kB\nMemAvailable: 4 kB\n"
                              "Buffers: 18446744073709551615 kB\nCached: 3 kB\nActive: 5 kB\n"
                              "Inactive: 5 kB\n",
                              &m) == 0 &&
           !m.has_parts,
       "more than can be counted is not known");
}

static void refused(const char *text, const char *what)
{
    struct gput__sys_memory m = { .total = 77, .available = 78 };

    OK(gput__sys_memory_parse(text, &m) == -EBADMSG && m.total == 77 && m.available == 78, "%s",
       what);
}

static void what_processes_map(void)
{
    struct gput__sys_memory m;

    OK(gput__sys_memory_parse("MemTotal: 9 kB\nMemAvailable: 4 kB\nAnonPages: 3 kB\nMapped: 2 kB\n",
                              &m) == 0 &&
           m.mapped == 5 * 1024,
       "anonymous pages and those of files");
    OK(gput__sys_memory_parse("MemTotal: 9 kB\nMemAvailable: 4 kB\nAnonPages: 3 kB\n", &m) == 0 &&
           m.mapped == 0,
       "one of them missing: not told");
    OK(gput__sys_memory_parse(
           "MemTotal: 9 kB\nMemAvailable: 4 kB\nAnonPages: 18446744073709551615 kB\n"
           "Mapped: 2 kB\n",
           &m) == 0 &&
           m.mapped == 0,
       "more than there can be");
}

static void swap(void)
{
    struct gput__sys_memory m;

    OK(gput__sys_memory_parse(
           "MemTotal: 9 kB\nMemAvailable: 4 kB\nSwapTotal: 8 kB\nSwapFree: 5 kB\n", &m) == 0 &&
           m.swap_total == 8 * 1024 && m.swap_free == 5 * 1024,
       "swap, and what of it is free");
    OK(gput__sys_memory_parse("MemTotal: 9 kB\nMemAvailable: 4 kB\n", &m) == 0 &&
           m.swap_total == 0 && m.swap_free == 0,
       "a kernel without swap");
    OK(gput__sys_memory_parse(
           "MemTotal: 9 kB\nMemAvailable: 4 kB\nSwapTotal: 8 kB\nSwapFree: 9 kB\n", &m) == 0 &&
           m.swap_total == 0,
       "more free than there is");
}

int main(void)
{
    swap();
    present_kernels();
    old_kernels();
    what_it_is_used_for();
    what_processes_map();
    refused("", "no text");
    refused("MemAvailable: 400 kB\n", "no total");
    refused("MemTotal: 1000 kB\n", "nothing free");
    refused("MemTotal: 1000 kB\nMemFree: 1 kB\nBuffers: 1 kB\n", "an old one without Cached");
    refused("MemTotal: x kB\nMemAvailable: 1 kB\n", "no number");
    refused("MemTotal: 1000 kB\nMemAvailable: 1001 kB\n", "more available than there is");
    refused("MemTotal: 18446744073709551615 kB\nMemAvailable: 1 kB\n", "more than can be counted");
    return DONE();
}
