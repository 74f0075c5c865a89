/* floor.c - the least that recording can cost: the reads of one record, and nothing made of them.
 *
 * usage: floor INTERVAL PID [machine|full]       until it is killed
 *
 * At the tracker's times it reads what the tracker reads of an idle job, on descriptors that are
 * kept open: the CPU clock of PID and of each of its children, /proc/stat, /proc/meminfo, and
 * whether anybody was born (process events, or /proc/loadavg where there are none).  For rows of the
 * whole machine also what its disks and network did, how full "/" is, and how many processes there
 * are; for all that --full tells also what tasks wait for. */
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include "source/proc/proc_events.h"

#define MOST_PROCESSES 10000

static clockid_t clocks[MOST_PROCESSES];
static int n_clocks;

static void add(pid_t pid)
{
    if (n_clocks < MOST_PROCESSES && clock_getcpuclockid(pid, &clocks[n_clocks]) == 0)
        n_clocks++;
}

static void add_children(int pid)
{
    char name[64];
    FILE *f;
    int child;

    snprintf(name, sizeof(name), "/proc/%d/task/%d/children", pid, pid);
    f = fopen(name, "re");
    while (f && fscanf(f, "%d", &child) == 1)
        add(child);
    if (f)
        fclose(f);
}

static int open_or_die(const char *name)
{
    int fd = open(name, O_RDONLY | O_CLOEXEC);

    if (fd < 0) {
        perror(name);
        exit(1);
    }
    return fd;
}

static void read_clocks(void)
{
    struct timespec ts;

    for (int i = 0; i < n_clocks; i++)
        clock_gettime(clocks[i], &ts);
}

static void read_files(const int *fds, int n)
{
    char text[4096];

    for (int i = 0; i < n; i++)
        if (pread(fds[i], text, sizeof(text), 0) < 0)
            exit(1);
}

static void read_machine(const int *fds)
{
    struct statvfs space;
    struct stat proc;

    read_files(fds, 2);
    if (statvfs("/", &space) < 0 || stat("/proc", &proc) < 0)
        exit(1);
}

static void ignore(void *ctx, const struct gput__proc_birth *birth)
{
    (void)ctx;
    (void)birth;
}

static void drain(int events)
{
    if (events >= 0)
        (void)gput__proc_events_drain(events, ignore, NULL);
}

static int start_timer(double interval)
{
    struct timespec every = { .tv_sec = (time_t)interval,
                              .tv_nsec = (long)((interval - (double)(time_t)interval) * 1e9) };
    struct itimerspec when = { every, every };
    int fd = timerfd_create(CLOCK_BOOTTIME, TFD_CLOEXEC);

    if (fd < 0 || timerfd_settime(fd, 0, &when, NULL) < 0)
        exit(1);
    return fd;
}

int main(int argc, char **argv)
{
    int events, n_files, timer, files[3], more[2], pressure[3] = { -1, -1, -1 };
    bool is_full = argc == 4 && !strcmp(argv[3], "full");
    bool has_machine = is_full || (argc == 4 && !strcmp(argv[3], "machine"));
    uint64_t expirations;

    if (argc != 3 && !has_machine)
        return 2;
    add(atoi(argv[2]));
    add_children(atoi(argv[2]));
    events = gput__proc_events_open();
    files[0] = open_or_die("/proc/stat");
    files[1] = open_or_die("/proc/meminfo");
    files[2] = open_or_die("/proc/loadavg");
    n_files = events >= 0 ? 2 : 3;
    more[0] = open_or_die("/proc/diskstats");
    more[1] = open_or_die("/proc/net/dev");
    if (is_full) {
        pressure[0] = open_or_die("/proc/pressure/cpu");
        pressure[1] = open_or_die("/proc/pressure/memory");
        pressure[2] = open_or_die("/proc/pressure/io");
    }
    timer = start_timer(atof(argv[1]));
    while (read(timer, &expirations, sizeof(expirations)) == (ssize_t)sizeof(expirations)) {
        drain(events);
        read_clocks();
        read_files(files, n_files);
        if (has_machine)
            read_machine(more);
        if (is_full)
            read_files(pressure, 3);
    }
    return 1;
}
