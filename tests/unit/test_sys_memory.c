/* test_sys_memory.c - the machine's memory, from /proc/meminfo. */
#include "source/sys_memory.h"

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

static void refused(const char *text, const char *what)
{
    struct gput__sys_memory m = { 77, 78 };

    OK(gput__sys_memory_parse(text, &m) == -EBADMSG && m.total == 77 && m.available == 78, "%s",
       what);
}

int main(void)
{
    present_kernels();
    old_kernels();
    refused("", "no text");
    refused("MemAvailable: 400 kB\n", "no total");
    refused("MemTotal: 1000 kB\n", "nothing free");
    refused("MemTotal: 1000 kB\nMemFree: 1 kB\nBuffers: 1 kB\n", "an old one without Cached");
    refused("MemTotal: x kB\nMemAvailable: 1 kB\n", "no number");
    refused("MemTotal: 1000 kB\nMemAvailable: 1001 kB\n", "more available than there is");
    refused("MemTotal: 18446744073709551615 kB\nMemAvailable: 1 kB\n", "more than can be counted");
    return DONE();
}
