/* spawn.c - starts the command, and keeps the tracker's signals apart from the job's. */
#include <errno.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "api/run/cgroup.h"
#include "api/tracker.h"

/* Taken off the process and read from a descriptor.  Stop signals stay as they are: Ctrl-Z and fg
 * must work on tracker and job alike. */
static const int taken[] = { SIGTERM, SIGHUP, SIGUSR1, SIGUSR2, SIGINT, SIGQUIT };
/* So are these, and the real-time signals, where they would end us: a program that handles one of
 * them itself goes on to.  Not those that a fault of our own raises. */
static const int deadly[] = { SIGABRT, SIGPIPE, SIGALRM,   SIGVTALRM, SIGPROF,
                              SIGXCPU, SIGXFSZ, SIGSTKFLT, SIGIO,     SIGPWR };

static bool is_handled_by(int sig, void (*handler)(int))
{
    struct sigaction sa;

    return sigaction(sig, NULL, &sa) == 0 && sa.sa_handler == handler;
}

static void choose_signals(sigset_t *ret)
{
    sigemptyset(ret);
    sigaddset(ret, SIGCHLD);
    for (size_t i = 0; i < sizeof(taken) / sizeof(*taken); i++)
        if (!is_handled_by(taken[i], SIG_IGN)) /* under nohup a hang-up stays ignored */
            sigaddset(ret, taken[i]);
    for (size_t i = 0; i < sizeof(deadly) / sizeof(*deadly); i++)
        if (is_handled_by(deadly[i], SIG_DFL))
            sigaddset(ret, deadly[i]);
    for (int sig = SIGRTMIN; sig <= SIGRTMAX; sig++)
        if (is_handled_by(sig, SIG_DFL))
            sigaddset(ret, sig);
}

void gput__signals_init(struct gput_tracker *t)
{
    t->signals.fd = -1;
}

int gput__signals_block(struct gput_tracker *t)
{
    struct sigaction by_default = { .sa_handler = SIG_DFL };
    sigset_t set;

    choose_signals(&set);
    t->signals.fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
    if (t->signals.fd < 0)
        return -errno;
    if (sigprocmask(SIG_BLOCK, &set, &t->signals.old_mask) < 0)
        return -errno;
    /* With SIGCHLD ignored, as some parents leave it, the job's status would be lost. */
    sigaction(SIGCHLD, &by_default, &t->signals.old_chld);
    t->signals.are_ours = true;
    t->signals.hear_faults = sigismember(&set, SIGIO) == 1;
    return 0;
}

void gput__signals_restore(struct gput_tracker *t)
{
    if (t->signals.fd >= 0)
        close(t->signals.fd);
    t->signals.fd = -1;
    if (!t->signals.are_ours)
        return;
    sigaction(SIGCHLD, &t->signals.old_chld, NULL);
    sigprocmask(SIG_SETMASK, &t->signals.old_mask, NULL);
    t->signals.are_ours = t->signals.hear_faults = false;
}

/* In the child, in the parent's memory: only calls that change the kernel's view of us alone. */
static void become(const struct gput_tracker *t, char *const argv[], volatile int *failure,
                   volatile unsigned *outside)
{
    *outside = gput__group_enter(t);
    if (sigaction(SIGCHLD, &t->signals.old_chld, NULL) == 0 &&
        sigprocmask(SIG_SETMASK, &t->signals.old_mask, NULL) == 0)
        execvp(argv[0], argv);
    *failure = errno;
    _exit(127);
}

/* vfork: the child's peak memory begins at what its parent shows, and copying page tables would
 * delay the job. */
int gput__spawn(struct gput_tracker *t, char *const argv[], pid_t *ret_pid)
{
    volatile int failure = 0;
    volatile unsigned outside = 0; /* of the groups that were made for it */
    pid_t pid;

    if (!(t->opts.flags & GPUT_NO_SUBREAPER))
        (void)prctl(PR_SET_CHILD_SUBREAPER, 1);
    pid = vfork();
    if (pid < 0)
        return -errno;
    if (pid == 0)
        become(t, argv, &failure, &outside);
    if (failure) {
        (void)waitpid(pid, NULL, 0);
        return -failure;
    }
    gput__group_entered(t, outside);
    *ret_pid = pid;
    return 0;
}
