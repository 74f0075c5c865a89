/* fault_alarm.c - a signal at the next page fault of a sleeping process (perf events). */
#include "source/proc/fault_alarm.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

int gput__fault_alarm_open(pid_t tid)
{
    struct perf_event_attr attr = {
        .type = PERF_TYPE_SOFTWARE,
        .size = sizeof(attr),
        .config = PERF_COUNT_SW_PAGE_FAULTS,
        .sample_period = 1,
        .wakeup_events = 1,
        .exclude_kernel = 1,
        .exclude_hv = 1,
        .inherit = 1,
    };
    struct f_owner_ex owner = { F_OWNER_TID, (pid_t)syscall(SYS_gettid) };
    int fd = (int)syscall(SYS_perf_event_open, &attr, tid, -1, -1, PERF_FLAG_FD_CLOEXEC), r;

    if (fd < 0)
        return -errno;
    if (fcntl(fd, F_SETOWN_EX, &owner) == 0 && fcntl(fd, F_SETFL, O_ASYNC | O_NONBLOCK) == 0)
        return fd;
    r = -errno;
    close(fd);
    return r;
}
