/* proc_schedstat.c - /proc/PID/task/TID/schedstat: what the scheduler has counted of one thread. */
#include "source/proc/proc_schedstat.h"

#include <errno.h>

#include "base/text/scan.h"

int gput__proc_schedstat_parse(const char *text, struct gput__proc_schedstat *ret)
{
    struct gput__proc_schedstat s;
    uint64_t n_runs;

    if (gput__scan_u64(&text, &s.ran_ns) < 0 || gput__scan_u64(&text, &s.waited_ns) < 0 ||
        gput__scan_u64(&text, &n_runs) < 0)
        return -EBADMSG;
    *ret = s;
    return 0;
}
