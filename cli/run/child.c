/* child.c - a command as a child. */
#include "run/child.h"

#include "output/exit_codes.h"

#include <errno.h>
#include <stddef.h>
#include <sys/wait.h>
#include <unistd.h>

static const int forwarded[] = { SIGTERM, SIGHUP,    SIGUSR1, SIGUSR2, SIGINT,  SIGQUIT,
                                 SIGABRT, SIGALRM,   SIGPROF, SIGXCPU, SIGXFSZ, SIGVTALRM,
                                 SIGPIPE, SIGSTKFLT, SIGIO,   SIGPWR };

void child_block_signals(struct child_signals *s)
{
    struct sigaction by_default = { .sa_handler = SIG_DFL }, now;

    sigemptyset(&s->set);
    sigaddset(&s->set, SIGCHLD);
    for (size_t i = 0; i < sizeof(forwarded) / sizeof(*forwarded); i++)
        if (sigaction(forwarded[i], NULL, &now) == 0 && now.sa_handler != SIG_IGN)
            sigaddset(&s->set, forwarded[i]);
    for (int sig = SIGRTMIN; sig <= SIGRTMAX; sig++)
        sigaddset(&s->set, sig);
    sigprocmask(SIG_BLOCK, &s->set, &s->old_mask);
    /* Where SIGCHLD is ignored there would be no status to wait for. */
    sigaction(SIGCHLD, &by_default, &s->old_chld);
}

static int start(const struct child_signals *s, const struct child *child, pid_t *ret_pid)
{
    volatile int failure = 0; /* the child shares our memory until it has run the command */
    pid_t pid = vfork();

    if (pid < 0)
        return -errno;
    if (pid == 0) {
        if ((child->in >= 0 && dup2(child->in, STDIN_FILENO) < 0) ||
            (child->out >= 0 && dup2(child->out, STDOUT_FILENO) < 0)) {
            failure = errno;
            _exit(EXIT_TRACKER_FAILED);
        }
        sigaction(SIGCHLD, &s->old_chld, NULL);
        sigprocmask(SIG_SETMASK, &s->old_mask, NULL);
        execvp(child->file ? child->file : child->argv[0], child->argv);
        failure = errno;
        _exit(EXIT_NOT_FOUND);
    }
    if (failure) {
        (void)waitpid(pid, NULL, 0);
        return -failure;
    }
    *ret_pid = pid;
    return 0;
}

/* The kernel's own (Ctrl-C, a hang-up) have reached the command as they have reached us. */
static void forward_signal(pid_t pid, const siginfo_t *si)
{
    if (si->si_signo == SIGINT || si->si_signo == SIGQUIT)
        return;
    if (si->si_code <= 0 && si->si_pid != pid && si->si_pid != getpid())
        (void)kill(pid, si->si_signo);
}

static void note_told(const siginfo_t *si, int *ret_told)
{
    int sig = si->si_signo;

    if (ret_told && (sig == SIGINT || sig == SIGQUIT || sig == SIGTERM || sig == SIGHUP))
        *ret_told = sig;
}

int child_run(const struct child_signals *s, const struct child *child, int *ret_told)
{
    siginfo_t si;
    pid_t pid;
    int status, r = start(s, child, &pid);

    if (r < 0)
        return r;
    for (;;) {
        if (sigwaitinfo(&s->set, &si) > 0 && si.si_signo != SIGCHLD) {
            note_told(&si, ret_told);
            forward_signal(pid, &si);
        }
        if (waitpid(pid, &status, WNOHANG) == pid)
            return WIFSIGNALED(status) ? EXIT_SIGNAL_BASE + WTERMSIG(status) : WEXITSTATUS(status);
    }
}
