/* sys_vmstat.c - /proc/vmstat: what the machine swapped, and how often it killed for memory. */
#include "source/stalls/sys_vmstat.h"

#include "base/text/scan.h"

void gput__sys_vmstat_parse(const char *text, struct gput__sys_vmstat *ret)
{
    struct gput__sys_vmstat v = { 0 };

    v.has_swap = gput__scan_key(text, "pswpin", &v.swapped_in) == 0 &&
                 gput__scan_key(text, "pswpout", &v.swapped_out) == 0;
    (void)gput__scan_key(text, "oom_kill", &v.oom_kills);
    *ret = v;
}
