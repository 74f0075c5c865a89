/* beside.c - a process beside the tracker: starts it, sends it texts, waits for its end. */
#include "api/beside/beside.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/system.h"

#define START_PATIENCE_MS 2000
#define NICENESS 5

void gput__beside_init(struct gput__beside *b)
{
    *b = (struct gput__beside){ .socket = -1, .handle = -1 };
}

/* --- its start ------------------------------------------------------------------------------- */

static void close_all_but(int a, int b)
{
    struct rlimit limit;
    int most = 65536;

    if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < (rlim_t)most)
        most = (int)limit.rlim_cur;
    for (int fd = STDERR_FILENO + 1; fd < most; fd++)
        if (fd != a && fd != b)
            close(fd);
}

/* Nothing of the job's: no terminal, no pipe whose reader would wait for us, no folder. */
static void stand_apart(const struct gput__beside_plan *plan, int fd)
{
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    struct rlimit core = { 0 };
    sigset_t none;

    gput__name_process(plan->name);
    (void)setsid();
    for (int i = STDIN_FILENO; null >= 0 && i <= STDERR_FILENO; i++)
        (void)dup2(null, i);
    close_all_but(fd, plan->keep_fd);
    if (chdir("/") < 0)
        _exit(1);
    for (int sig = 1; sig < NSIG; sig++)
        (void)signal(sig, SIG_DFL);
    (void)signal(SIGPIPE, SIG_IGN);
    (void)signal(SIGXFSZ, SIG_IGN);
    sigemptyset(&none);
    (void)sigprocmask(SIG_SETMASK, &none, NULL);
    gput__never_gain_rights();
    (void)setrlimit(RLIMIT_CORE, &core);
    if (nice(NICENESS) < 0)
        errno = 0; /* no matter */
}

/* Forked twice: a child of ours would be taken for one of the job's. */
static int start_process(const struct gput__beside_plan *plan, int fd)
{
    pid_t between = fork(), pid;
    int status;

    if (between == 0) {
        pid = fork();
        if (pid == 0) {
            stand_apart(plan, fd);
            plan->run(plan->ctx, fd);
        }
        _exit(pid < 0);
    }
    if (between < 0)
        return -errno;
    while (waitpid(between, &status, 0) < 0 && errno == EINTR)
        ;
    return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? 0 : -EAGAIN;
}

/* 1: it has said something; 0: not in time; -1: it is gone. */
static int hear(const struct gput__beside *b, int timeout_ms, struct gput__beside_packet *ret)
{
    struct pollfd p = { .fd = b->socket, .events = POLLIN };
    ssize_t n;

    if (poll(&p, 1, timeout_ms) <= 0)
        return 0;
    n = recv(b->socket, ret, sizeof(*ret), MSG_DONTWAIT);
    if (n < 0 && (errno == EAGAIN || errno == EINTR))
        return 0;
    ret->line[sizeof(ret->line) - 1] = '\0';
    return n == (ssize_t)sizeof(*ret) ? 1 : -1;
}

int gput__beside_start(struct gput__beside *b, const struct gput__beside_plan *plan)
{
    struct gput__beside_packet p;
    int pair[2], r;

    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0)
        return -errno;
    r = start_process(plan, pair[1]);
    close(pair[1]);
    b->socket = pair[0];
    if (r == 0 && hear(b, START_PATIENCE_MS, &p) != 1)
        r = -ETIMEDOUT;
    if (r < 0)
        return r;
    b->pid = p.pid;
    b->handle = gput__process_handle(p.pid);
    return 0;
}

/* --- texts ----------------------------------------------------------------------------------- */

static void send_packet(const struct gput__beside *b, uint32_t kind, int fd)
{
    struct gput__beside_packet p;
    struct iovec iov = { .iov_base = &p, .iov_len = sizeof(p) };
    union {
        struct cmsghdr head;
        char room[CMSG_SPACE(sizeof(int))];
    } control = { 0 };
    struct msghdr m = { .msg_iov = &iov, .msg_iovlen = 1 };
    struct cmsghdr *c;

    memset(&p, 0, sizeof(p));
    p.kind = kind;
    if (fd >= 0) {
        m.msg_control = control.room;
        m.msg_controllen = sizeof(control.room);
        c = CMSG_FIRSTHDR(&m);
        c->cmsg_level = SOL_SOCKET;
        c->cmsg_type = SCM_RIGHTS;
        c->cmsg_len = CMSG_LEN(sizeof(int));
        memcpy(CMSG_DATA(c), &fd, sizeof(fd));
    }
    (void)sendmsg(b->socket, &m, MSG_NOSIGNAL | MSG_DONTWAIT);
}

void gput__beside_send(const struct gput__beside *b, uint32_t kind, const char *text)
{
    int fd = text ? gput__memory_file("gput-text") : -1;

    if (!text)
        send_packet(b, kind, -1);
    else if (fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text))
        send_packet(b, kind, fd);
    if (fd >= 0)
        close(fd);
}

/* --- its end --------------------------------------------------------------------------------- */

static void warn(const struct gput_callbacks *on, const char *line)
{
    if (on->warn)
        on->warn(on->ctx, line);
}

void gput__beside_await(const struct gput__beside *b, int64_t patience_ns, const char *late,
                        const struct gput_callbacks *on)
{
    int64_t until = gput__now() + patience_ns;
    struct gput__beside_packet p;

    for (;;) {
        int64_t left = (until - gput__now()) / GPUT__NS_PER_MS;
        int r = left > 0 ? hear(b, (int)left, &p) : -1;

        if (r < 0 && left > 0)
            return; /* it has gone */
        if (r < 0) {
            warn(on, late);
            if (b->handle < 0 || gput__process_handle_kill(b->handle, SIGKILL) < 0)
                (void)kill(b->pid, SIGKILL);
            return;
        }
        if (r == 1 && p.kind == GPUT__BESIDE_WARNING)
            warn(on, p.line);
        if (r == 1 && p.kind == GPUT__BESIDE_DONE)
            return;
    }
}

void gput__beside_close(struct gput__beside *b)
{
    if (b->socket >= 0)
        close(b->socket);
    if (b->handle >= 0)
        close(b->handle);
    gput__beside_init(b);
}
