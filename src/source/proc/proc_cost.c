/* proc_cost.c - what one process has cost so far: CPU time and the peak of its memory. */
#include "source/proc/proc_cost.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "base/root.h"
#include "source/proc/proc_status.h"

int gput__proc_cpu(pid_t pid, double *ret)
{
    clockid_t clock = CLOCK_PROCESS_CPUTIME_ID;
    struct timespec ts;
    int r = pid ? clock_getcpuclockid(pid, &clock) : 0;

    if (r)
        return -r;
    if (clock_gettime(clock, &ts) < 0)
        return -errno;
    *ret = (double)ts.tv_sec + (double)ts.tv_nsec / 1e9;
    return 0;
}

static int peak_in(const char *text, uint64_t *ret)
{
    struct gput__proc_status st = { 0 };
    int r = gput__proc_status_parse(text, &st);

    if (r == 0)
        *ret = st.hwm;
    return r;
}

int gput__proc_peak(pid_t pid, uint64_t *ret)
{
    struct gput__root proc;
    char name[32] = "self/status", text[4096];
    ssize_t n;
    int r = gput__root_open(NULL, "/proc", &proc);

    if (r < 0)
        return r;
    if (pid)
        snprintf(name, sizeof(name), "%d/status", (int)pid);
    n = gput__root_read(&proc, name, text, sizeof(text));
    gput__root_close(&proc);
    return n < 0 ? (int)n : peak_in(text, ret);
}

struct gput__own_status gput__own_status_open(void)
{
    return (struct gput__own_status){ .fd = open("/proc/self/status", O_RDONLY | O_CLOEXEC),
                                      .pid = getpid() };
}

void gput__own_status_close(struct gput__own_status *s)
{
    if (s->fd >= 0)
        close(s->fd);
    s->fd = -1;
}

int gput__own_status_peak(const struct gput__own_status *s, uint64_t *ret)
{
    char text[4096];
    ssize_t n;

    if (s->fd < 0 || s->pid != getpid())
        return gput__proc_peak(0, ret);
    n = gput__fd_read(s->fd, text, sizeof(text));
    return n < 0 ? (int)n : peak_in(text, ret);
}
