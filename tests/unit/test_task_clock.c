/* test_task_clock.c - counters of CPU time that outlive their processes, on real ones. */
#include "source/proc/task_clock.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tap.h"

static double cpu_s(void)
{
    struct timespec ts;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ts);
    return (double)ts.tv_sec + 1e-9 * (double)ts.tv_nsec;
}

static void burn(double seconds)
{
    double until = cpu_s() + seconds;

    while (cpu_s() < until)
        ;
}

/* Uses so much once it is told to, and has a child that uses as much. */
static pid_t start(int go[2])
{
    pid_t pid = pipe(go) == 0 ? fork() : -1;
    char c;

    if (pid < 0)
        exit(1);
    if (pid > 0)
        return pid;
    if (read(go[0], &c, 1) != 1)
        _exit(1);
    burn(0.05);
    pid = fork();
    if (pid == 0) {
        burn(0.05);
        _exit(0);
    }
    waitpid(pid, NULL, 0);
    _exit(0);
}

static double counted(bool with_forks)
{
    int go[2], fd;
    pid_t pid = start(go);
    uint64_t ns = 0;

    fd = gput__task_clock_open(pid, with_forks);
    if (write(go[1], "", 1) != 1)
        exit(1);
    waitpid(pid, NULL, 0); /* nothing is left of it but this */
    if (fd >= 0 && gput__task_clock_read(fd, &ns) < 0)
        ns = 0;
    if (fd >= 0)
        close(fd);
    close(go[0]);
    close(go[1]);
    return 1e-9 * (double)ns;
}

int main(void)
{
    double own, all;
    pid_t pid;
    int go[2], fd = gput__task_clock_open(getpid(), false);

    if (fd < 0) {
        printf("1..0 # SKIP the kernel has no such counters for us\n");
        return 0;
    }
    close(fd);
    own = counted(false);
    all = counted(true);
    OK(own >= 0.049 && own < 0.075, "its own time, when it is gone: %.3f s of 0.05", own);
    OK(all >= 0.098 && all < 0.15, "with what it forked: %.3f s of 0.1", all);
    pid = start(go);
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
    OK(gput__task_clock_open(pid, false) == -ESRCH, "of one that is gone there is none");
    return tap_done();
}
