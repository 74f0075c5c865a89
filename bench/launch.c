/* launch.c - runs commands in turn, each N times, and prints what each run took.
 *
 * usage: launch N COMMAND [ARGUMENT...] [+ COMMAND [ARGUMENT...]]...
 * One line per run: the command's place, wall ns, CPU ns, peak RSS in KiB.
 *
 * Small on purpose: the peak RSS of a child begins at that of the process which started it, and
 * what starting costs here is added to every figure. */
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MOST_COMMANDS 8

extern char **environ;

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

static void run(int place, char **argv, const posix_spawn_file_actions_t *silent)
{
    long long begin = now_ns(), end;
    struct rusage usage;
    int status;
    pid_t pid;

    if (posix_spawnp(&pid, argv[0], silent, NULL, argv, environ) != 0 ||
        wait4(pid, &status, 0, &usage) != pid || status != 0) {
        fprintf(stderr, "launch: %s failed\n", argv[0]);
        exit(1);
    }
    end = now_ns();
    printf("%d %lld %lld %ld\n", place, end - begin, ns_of(usage.ru_utime) + ns_of(usage.ru_stime),
           usage.ru_maxrss);
}

int main(int argc, char **argv)
{
    char **commands[MOST_COMMANDS] = { argv + 2 };
    int n = 1, times = argc > 2 ? atoi(argv[1]) : 0;
    posix_spawn_file_actions_t silent;

    if (times <= 0)
        return 2;
    for (int i = 2; i < argc; i++)
        if (strcmp(argv[i], "+") == 0 && n < MOST_COMMANDS) {
            argv[i] = NULL;
            commands[n++] = argv + i + 1;
        }
    posix_spawn_file_actions_init(&silent);
    posix_spawn_file_actions_addopen(&silent, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&silent, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    for (int i = 0; i < times; i++)
        for (int c = 0; c < n; c++) { /* each time another one first */
            int place = (c + i) % n;

            run(place, commands[place], &silent);
        }
    return 0;
}
