/* task_clock.c - the CPU time of a process, from a counter that outlives it (perf events). */
#include "source/proc/task_clock.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

int gput__task_clock_open(pid_t tid, bool with_forks)
{
    /* What the kernel does is counted whatever is said here: the clock runs with the task. */
    struct perf_event_attr attr = {
        .type = PERF_TYPE_SOFTWARE,
        .size = sizeof(attr),
        .config = PERF_COUNT_SW_TASK_CLOCK,
        .exclude_kernel = 1,
        .exclude_hv = 1,
        .inherit = with_forks,
    };
    long fd;

#ifdef PERF_ATTR_SIZE_VER7 /* since Linux 5.13 threads can be told from forks */
    attr.inherit = 1;
    attr.inherit_thread = !with_forks;
#endif
    fd = syscall(SYS_perf_event_open, &attr, tid, -1, -1, PERF_FLAG_FD_CLOEXEC);
    return fd < 0 ? -errno : (int)fd;
}

int gput__task_clock_read(int fd, uint64_t *ret_ns)
{
    ssize_t n = read(fd, ret_ns, sizeof(*ret_ns));

    if (n < 0)
        return -errno;
    return n == (ssize_t)sizeof(*ret_ns) ? 0 : -EIO;
}
