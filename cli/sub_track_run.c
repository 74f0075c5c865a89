/* sub_track_run.c - `gpu-tracker sub-track run`: a command as a code block.
 *
 * Signals as in run mode: what the terminal sends reaches the command by itself, what is sent to us
 * alone is passed on, and the status is the command's. */
#include "exit_codes.h"
#include "say.h"
#include "sub_track.h"
#include "sub_track_marker.h"
#include "sub_track_marks.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

const struct sub_option sub_run_options[] = {
    { .name = "stf",
      .argument = "<sub-track-file>",
      .is_file = true,
      .help = "The file to write to (.csv or .sqlite); it is made, or continued." },
    { .name = "name", .argument = "<name>", .help = "The name of the code block." },
    { .name = "exact", .help = "Write the CPU time and peak RAM of the command too." },
    { .name = NULL },
};

static const int passed_on[] = { SIGTERM, SIGHUP,    SIGUSR1, SIGUSR2, SIGINT,  SIGQUIT,
                                 SIGABRT, SIGALRM,   SIGPROF, SIGXCPU, SIGXFSZ, SIGVTALRM,
                                 SIGPIPE, SIGSTKFLT, SIGIO,   SIGPWR };

struct signals {
    sigset_t set, old_mask;
    struct sigaction old_chld;
};

static void take_signals(struct signals *s)
{
    struct sigaction by_default = { .sa_handler = SIG_DFL }, now;

    sigemptyset(&s->set);
    sigaddset(&s->set, SIGCHLD);
    for (size_t i = 0; i < sizeof(passed_on) / sizeof(*passed_on); i++)
        if (sigaction(passed_on[i], NULL, &now) == 0 && now.sa_handler != SIG_IGN)
            sigaddset(&s->set, passed_on[i]);
    for (int sig = SIGRTMIN; sig <= SIGRTMAX; sig++)
        sigaddset(&s->set, sig);
    sigprocmask(SIG_BLOCK, &s->set, &s->old_mask);
    /* Where SIGCHLD is ignored there would be no status to wait for. */
    sigaction(SIGCHLD, &by_default, &s->old_chld);
}

static int start(const struct signals *s, char **argv, pid_t *ret_pid)
{
    volatile int failure = 0; /* the child shares our memory until it has run the command */
    pid_t pid = vfork();

    if (pid < 0)
        return -errno;
    if (pid == 0) {
        sigaction(SIGCHLD, &s->old_chld, NULL);
        sigprocmask(SIG_SETMASK, &s->old_mask, NULL);
        execvp(argv[0], argv);
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
static void pass_on(pid_t pid, const siginfo_t *si)
{
    if (si->si_signo == SIGINT || si->si_signo == SIGQUIT)
        return;
    if (si->si_code <= 0 && si->si_pid != pid && si->si_pid != getpid())
        (void)kill(pid, si->si_signo);
}

static int wait_for(const struct signals *s, pid_t pid)
{
    siginfo_t si;
    int status;

    for (;;) {
        if (sigwaitinfo(&s->set, &si) > 0 && si.si_signo != SIGCHLD)
            pass_on(pid, &si);
        if (waitpid(pid, &status, WNOHANG) == pid)
            return WIFSIGNALED(status) ? EXIT_SIGNAL_BASE + WTERMSIG(status) : WEXITSTATUS(status);
    }
}

static int status_of_failure(int r)
{
    return r == -ENOENT || r == -ENOTDIR  ? EXIT_NOT_FOUND
           : r == -EAGAIN || r == -ENOMEM ? EXIT_TRACKER_FAILED
                                          : EXIT_CANNOT_EXECUTE;
}

static int run_command(const struct signals *signals, char **argv)
{
    pid_t pid;
    int r = start(signals, argv, &pid);

    if (r < 0) {
        say("cannot run '%s': %s", argv[0], strerror(-r));
        return status_of_failure(r);
    }
    return wait_for(signals, pid);
}

/* Only wrong usage keeps the command from running; the status is always its own. */
static int run_marked(const struct marks_options *o, char **argv)
{
    struct signals signals;
    struct refusal why;
    bool is_marked;
    int status, r;

    take_signals(&signals); /* first, so that no other thread takes one */
    r = marker_start(o, &why);
    is_marked = r == 0;
    if (r == -EINVAL) {
        say("sub-track run: %s", why.text);
        return EXIT_USAGE;
    }
    if (!is_marked)
        say("sub-track run: '%s' is not marked: %s", o->name, why.text);
    status = run_command(&signals, argv);
    if (is_marked && marker_stop(&why) < 0)
        say("sub-track run: the end of '%s' is not marked: %s", o->name, why.text);
    return status;
}

int sub_track_run(const struct sub_command *command, int argc, char **argv)
{
    static struct marks_options o; /* as long as the thread */
    int i = sub_track_parse(command, argc, argv, marks_option, &o);

    if (i < 0)
        return EXIT_USAGE;
    if (i >= argc || !*argv[i]) {
        say("sub-track run: no command to run");
        return EXIT_USAGE;
    }
    return run_marked(&o, argv + i);
}
