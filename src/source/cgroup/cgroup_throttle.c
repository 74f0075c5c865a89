/* cgroup_throttle.c - for how long a control group was held back because its CPU quota was used up. */
#include "source/cgroup/cgroup_throttle.h"

#include <errno.h>

#include "base/text/scan.h"

int gput__throttled_parse(const char *text, struct gput__throttled *ret)
{
    struct gput__throttled t;

    if (gput__scan_key(text, "nr_periods", &t.periods) < 0 ||
        gput__scan_key(text, "nr_throttled", &t.held_back) < 0)
        return -EBADMSG;
    if (gput__scan_key(text, "throttled_time", &t.ns) < 0) { /* version 1: ns */
        if (gput__scan_key(text, "throttled_usec", &t.ns) < 0 ||
            __builtin_mul_overflow(t.ns, UINT64_C(1000), &t.ns))
            return -EBADMSG;
    }
    *ret = t;
    return 0;
}
