/* launch.c - runs commands in turn, each N times, and prints what each run took.
 *
 * usage: launch N LIMIT COMMAND [ARGUMENT...] [+ COMMAND [ARGUMENT...]]...
 * One that has not ended after LIMIT seconds is killed, and not run again.
 * One line per run: the command's place, wall ns, CPU ns, peak RSS in KiB, the status of wait().
 *
 * Small on purpose: the peak RSS of a child begins at that of the process which started it, and
 * what starting costs here is added to every figure. */
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MOST_COMMANDS 16

extern char **environ;

static volatile pid_t running;

static void end_it(int signal)
{
    (void)signal;
    kill(-running, SIGKILL);
}

static long long now_ns(void)
{
    struct timespec ts;

    clock_gettime(CLOCK_MONOTONIC, &ts);
    return ts.tv_sec * 1000000000LL + ts.tv_nsec;
}

static long long ns_of(struct timeval tv)
{
    return tv.tv_sec * 1000000000LL + tv.tv_usec * 1000LL;
}

/* Each is the leader of a group, so that it can be ended with all that it started. */
static void make_attributes(posix_spawnattr_t *attributes)
{
    posix_spawnattr_init(attributes);
    posix_spawnattr_setpgroup(attributes, 0);
    posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETPGROUP);
}

static int wait_for(pid_t pid, unsigned limit, struct rusage *usage)
{
    int status;

    running = pid;
    alarm(limit);
    if (wait4(pid, &status, 0, usage) != pid)
        exit(1);
    alarm(0);
    return status;
}

static int run(int place, char **argv, unsigned limit, const posix_spawn_file_actions_t *silent,
               const posix_spawnattr_t *attributes)
{
    long long begin = now_ns(), end;
    struct rusage usage;
    int status;
    pid_t pid;

    if (posix_spawnp(&pid, argv[0], silent, attributes, argv, environ) != 0) {
        fprintf(stderr, "launch: %s could not be started\n", argv[0]);
        exit(1);
    }
    status = wait_for(pid, limit, &usage);
    end = now_ns();
    printf("%d %lld %lld %ld %d\n", place, end - begin,
           ns_of(usage.ru_utime) + ns_of(usage.ru_stime), usage.ru_maxrss, status);
    return WIFSIGNALED(status);
}

int main(int argc, char **argv)
{
    int n = 1, times = argc > 3 ? atoi(argv[1]) : 0, dead[MOST_COMMANDS] = { 0 };
    char **commands[MOST_COMMANDS] = { argv + 3 };
    struct sigaction on_alarm = { .sa_handler = end_it, .sa_flags = SA_RESTART };
    posix_spawn_file_actions_t silent;
    posix_spawnattr_t attributes;

    if (times <= 0)
        return 2;
    for (int i = 3; i < argc; i++)
        if (strcmp(argv[i], "+") == 0 && n < MOST_COMMANDS) {
            argv[i] = NULL;
            commands[n++] = argv + i + 1;
        }
    sigaction(SIGALRM, &on_alarm, NULL);
    make_attributes(&attributes);
    posix_spawn_file_actions_init(&silent);
    posix_spawn_file_actions_addopen(&silent, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&silent, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    for (int i = 0; i < times; i++)
        for (int c = 0; c < n; c++) { /* each time another one first */
            int place = (c + i) % n;

            if (!dead[place])
                dead[place] =
                    run(place, commands[place], (unsigned)atoi(argv[2]), &silent, &attributes);
        }
    return 0;
}
