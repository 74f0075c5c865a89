/* test_proc_events.c - messages of the proc connector, made by hand. */
#include "source/proc/proc_events.h"

#include <errno.h>
#include <linux/cn_proc.h>
#include <linux/connector.h>
#include <linux/netlink.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tap.h"

#define AT_EVENT (NLMSG_HDRLEN + sizeof(struct cn_msg))
#define LENGTH (AT_EVENT + sizeof(struct proc_event))

static const struct gput__proc_birth untouched = { -7, -8, -9 };

/* A message as the kernel sends it: one byte off its alignment, in memory of its own size. */
static void make(char msg[LENGTH], const struct proc_event *ev)
{
    struct nlmsghdr head = { .nlmsg_len = LENGTH, .nlmsg_type = NLMSG_DONE };
    struct cn_msg cn = { .id = { CN_IDX_PROC, CN_VAL_PROC }, .len = sizeof(*ev) };

    memset(msg, 0, LENGTH);
    memcpy(msg, &head, sizeof(head));
    memcpy(msg + NLMSG_HDRLEN, &cn, sizeof(cn));
    memcpy(msg + AT_EVENT, ev, sizeof(*ev));
}

static int parse(const struct proc_event *ev, struct gput__proc_birth *ret)
{
    char msg[LENGTH];

    *ret = untouched;
    make(msg, ev);
    return gput__proc_event_parse(msg, sizeof(msg), ret);
}

static struct proc_event fork_of(pid_t parent, pid_t child, pid_t thread)
{
    struct proc_event ev = { .what = PROC_EVENT_FORK, .timestamp_ns = 5000000001 };

    ev.event_data.fork.parent_pid = parent + 1; /* the thread that forked */
    ev.event_data.fork.parent_tgid = parent;
    ev.event_data.fork.child_pid = thread;
    ev.event_data.fork.child_tgid = child;
    return ev;
}

static int is_untouched(const struct gput__proc_birth *e)
{
    return e->pid == untouched.pid && e->parent == untouched.parent;
}

static void processes(void)
{
    struct proc_event ev = fork_of(10, 20, 20);
    struct gput__proc_birth e;

    OK(parse(&ev, &e) == 0 && e.pid == 20 && e.parent == 10, "the child and its parent process");
    OK(e.at_ns == 5000000001, "and when it was forked");
    ev = fork_of(10, 10, 11);
    OK(parse(&ev, &e) == -ENODATA && is_untouched(&e), "a new thread is no process");
}

static void other_kinds(void)
{
    static const unsigned kinds[] = { PROC_EVENT_NONE,     PROC_EVENT_EXEC, PROC_EVENT_EXIT,
                                      PROC_EVENT_UID,      PROC_EVENT_GID,  PROC_EVENT_SID,
                                      PROC_EVENT_PTRACE,   PROC_EVENT_COMM, 0x20000000,
                                      PROC_EVENT_COREDUMP, 0xffffffff };

    for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
        struct proc_event ev = fork_of(1, 2, 2);
        struct gput__proc_birth e;

        memcpy(&ev.what, &kinds[i], sizeof(kinds[i]));
        OK(parse(&ev, &e) == -ENODATA && is_untouched(&e), "kind %08x is of no interest", kinds[i]);
    }
}

static void every_cut_is_refused(void)
{
    struct proc_event ev = fork_of(10, 20, 20);
    struct gput__proc_birth e = untouched;
    char msg[LENGTH + 16] = "";
    int taken = 0;

    make(msg, &ev);
    for (size_t n = 0; n < LENGTH; n++)
        taken += gput__proc_event_parse(msg, n, &e) != -EBADMSG;
    OK(taken == 0 && is_untouched(&e), "no part of a message is one");
    OK(gput__proc_event_parse(msg, sizeof(msg), &e) == 0 && e.pid == 20, "a longer one is");
    memmove(msg + 1, msg, LENGTH);
    e = untouched;
    OK(gput__proc_event_parse(msg + 1, LENGTH, &e) == 0 && e.pid == 20, "at an odd address too");
}

struct wanted {
    pid_t pid;
    int seen;
};

static void note_birth(void *ctx, const struct gput__proc_birth *birth)
{
    struct wanted *w = ctx;

    w->seen += birth->pid == w->pid && birth->parent == getpid();
}

/* Here the thing is the running kernel: it may not tell us. */
static void the_kernel(void)
{
    int fd = gput__proc_events_open(), r = 0, seen = 0;
    pid_t children[40];

    gput__proc_events_close(-1);
    if (fd < 0) {
        OK(fd == -ENOTSUP, "births of children # SKIP the kernel tells us nothing");
        return;
    }
    for (int i = 0; i < 40; i++) { /* more than are read at a time */
        children[i] = fork();
        if (children[i] == 0)
            _exit(0);
    }
    for (int i = 0; i < 40; i++)
        waitpid(children[i], NULL, 0);
    struct wanted last = { .pid = children[39] };

    for (int i = 0; i < 2000 && !last.seen; i++) {
        r |= gput__proc_events_drain(fd, note_birth, &last);
        seen += last.seen;
        usleep(1000);
    }
    OK(seen == 1 && (r == 0 || r == -ENOBUFS), "the birth of the last of 40 children, once");
    gput__proc_events_close(fd);
}

int main(void)
{
    processes();
    other_kinds();
    every_cut_is_refused();
    the_kernel();
    return DONE();
}
