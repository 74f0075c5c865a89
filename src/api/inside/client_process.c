/* client_process.c - the helper as a child process: started, killed, waited for. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "api/inside/helper.h"
#include "base/system.h"

#ifndef P_PIDFD /* older C libraries */
#define P_PIDFD 3
#endif

/* What is preloaded into the tracked program is not meant for us. */
static bool is_for_the_program_alone(const char *variable)
{
    return !strncmp(variable, "LD_PRELOAD=", 11) || !strncmp(variable, "LD_AUDIT=", 9);
}

static char **copy_environment(void)
{
    size_t n = 0, kept = 0;
    char **copy;

    while (environ && environ[n])
        n++;
    copy = calloc(n + 1, sizeof(*copy));
    for (size_t i = 0; copy && i < n; i++)
        if (!is_for_the_program_alone(environ[i]))
            copy[kept++] = environ[i];
    return copy;
}

/* In the child, in the caller's memory: only calls that change the kernel's view of us alone.  The
 * name tells other trackers from the first moment on that this is none of the job's processes. */
static void become_helper(const char *path, char *const argv[], char *const env[], int fd,
                          volatile int *failure)
{
    gput__name_process(GPUT__HELPER_NAME);
    (void)setsid(); /* Ctrl-C is not for it */
    (void)fcntl(fd, F_SETFD, 0);
    execve(path, argv, env);
    *failure = errno;
    _exit(127);
}

/* vfork and exec: nothing of a program with threads and devices is copied.  No handler of the
 * program's may run in the child: it would run in the program's own memory. */
__attribute__((noinline)) static pid_t start(const char *path, char *const argv[],
                                             char *const env[], int fd, volatile int *failure)
{
    sigset_t all, old;
    pid_t pid;

    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    pid = vfork();
    if (pid == 0)
        become_helper(path, argv, env, fd, failure);
    if (pid < 0)
        *failure = errno;
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    return pid;
}

int gput__client_launch(struct gput__client *c, const char *path, int fd)
{
    char number[16];
    char *argv[] = { (char *)"gpu-tracker", (char *)GPUT__HELPER_NAME, number, NULL };
    char **env = copy_environment();
    volatile int failure = 0;
    pid_t pid;

    if (!env)
        return -ENOMEM;
    snprintf(number, sizeof(number), "%d", fd);
    pid = start(path, argv, env, fd, &failure);
    free(env);
    if (pid < 0)
        return -failure;
    if (failure) {
        (void)waitpid(pid, NULL, 0);
        return -failure;
    }
    c->pid = pid;
    c->pidfd = gput__process_handle(pid);
    return 0;
}

/* Somebody else in the program may have waited for it: that is fine.  By pidfd, as its pid may be
 * another child's by then. */
void gput__client_reap(struct gput__client *c)
{
    siginfo_t si;
    int r;

    do
        r = c->pidfd >= 0 ? waitid((idtype_t)P_PIDFD, (id_t)c->pidfd, &si, WEXITED) : -1;
    while (r < 0 && c->pidfd >= 0 && errno == EINTR);
    if (r < 0 && (c->pidfd < 0 || errno != ECHILD))
        while (waitpid(c->pid, NULL, 0) < 0 && errno == EINTR)
            ;
    c->pid = 0;
}

void gput__client_kill(const struct gput__client *c)
{
    if (c->pidfd < 0 || gput__process_handle_kill(c->pidfd, SIGKILL) < 0)
        (void)kill(c->pid, SIGKILL);
}

bool gput__client_has_ended(const struct gput__client *c)
{
    struct pollfd p = { .fd = c->pidfd, .events = POLLIN };
    siginfo_t si = { 0 };

    if (c->pidfd >= 0)
        return poll(&p, 1, 0) > 0;
    return waitid(P_PID, (id_t)c->pid, &si, WEXITED | WNOHANG | WNOWAIT) < 0 || si.si_pid != 0;
}
