/* test_fault_alarm.c - a signal at the next page fault of a process that slept, on real ones. */
#include "source/proc/fault_alarm.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tap.h"

static int signals;

/* Whether the alarm has rung within so long; reads it, if so. */
static bool rang(int ms)
{
    struct pollfd p = { .fd = signals, .events = POLLIN };
    struct signalfd_siginfo si;

    return poll(&p, 1, ms) == 1 && read(signals, &si, sizeof(si)) == (ssize_t)sizeof(si) &&
           si.ssi_code > 0;
}

static void touch_a_page(void)
{
    char *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (page == MAP_FAILED)
        _exit(1);
    *page = 1;
}

/* Waits for a word, then takes a page; or forks who does. */
static pid_t start(int go[2], bool by_child)
{
    pid_t pid = pipe(go) == 0 ? fork() : -1;
    char c;

    if (pid < 0)
        exit(1);
    if (pid > 0)
        return pid;
    if (read(go[0], &c, 1) != 1)
        _exit(1);
    if (!by_child || fork() == 0)
        touch_a_page();
    else
        wait(NULL);
    _exit(0);
}

static void is_told(bool by_child, const char *who)
{
    int go[2], fd, n = 0;
    pid_t pid = start(go, by_child);

    fd = gput__fault_alarm_open(pid);
    while (fd >= 0 && n < 10000 && rang(20)) /* until it has come to its rest */
        n++;
    OK(fd >= 0 && n < 10000, "%s: while it sleeps nothing is told", who);
    OK(write(go[1], "", 1) == 1 && rang(10000), "%s: once it takes a page we are", who);
    waitpid(pid, NULL, 0);
    close(fd);
    OK(gput__fault_alarm_open(pid) == -ESRCH, "%s: of one that is gone there is no alarm", who);
    close(go[0]);
    close(go[1]);
}

int main(void)
{
    sigset_t set;
    int fd;

    sigemptyset(&set);
    sigaddset(&set, SIGIO);
    sigprocmask(SIG_BLOCK, &set, NULL);
    fd = gput__fault_alarm_open(getpid());
    if (fd < 0) {
        printf("1..0 # SKIP the kernel has no such alarms for us\n");
        return 0;
    }
    close(fd);
    signals = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
    is_told(false, "a process");
    is_told(true, "a process that forks");
    return tap_done();
}
