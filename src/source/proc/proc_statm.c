/* proc_statm.c - the fields we use of /proc/<pid>/statm, see proc_pid_statm(5). */
#include "source/proc/proc_statm.h"

#include <errno.h>

#include "base/text/scan.h"

int gput__proc_statm_parse(const char *text, struct gput__proc_statm *ret)
{
    struct gput__proc_statm st;
    const char *p = text;

    if (gput__scan_skip(&p, 1) < 0 || gput__scan_u64(&p, &st.resident) < 0 ||
        gput__scan_u64(&p, &st.shared) < 0 || *p == '\0' || st.shared > st.resident)
        return -EBADMSG;
    *ret = st;
    return 0;
}
