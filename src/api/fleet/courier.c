/* courier.c - takes the file of a node into the folder of the fleet while the tracker goes on. */
#include "api/fleet/courier.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/system.h"
#include "base/thread.h"

#define STACK (256 * 1024)

struct gput__sending {
    struct gput__delivery delivery;
    char *text;
    atomic_int is_done, is_cancelled;
    atomic_int n_owners; /* the tracker and the thread: the last one frees it */
};

static void drop(struct gput__sending *e)
{
    if (atomic_fetch_sub(&e->n_owners, 1) > 1)
        return;
    free(e->text);
    free(e);
}

static void *run(void *arg)
{
    struct gput__sending *e = arg;

    (void)gput__deliver(&e->delivery); /* the last one tells what is amiss */
    atomic_store(&e->is_done, 1);
    drop(e);
    return NULL;
}

int gput__courier_send(struct gput__courier *c, const struct gput__delivery *d, char *text)
{
    struct gput__sending *e = c->sending ? NULL : calloc(1, sizeof(*e));
    pthread_t thread;
    int r;

    if (!e) {
        free(text);
        return c->sending ? -EBUSY : -ENOMEM;
    }
    e->delivery = *d;
    e->text = text;
    e->delivery.text = text;
    e->delivery.is_cancelled = &e->is_cancelled;
    e->n_owners = 2;
    r = gput__thread_start(&thread, STACK, run, e);
    if (r < 0) {
        e->n_owners = 1;
        drop(e);
        return r;
    }
    pthread_detach(thread);
    c->sending = e;
    return 0;
}

bool gput__courier_is_back(struct gput__courier *c)
{
    struct gput__sending *e = c->sending;

    if (!e || !atomic_load(&e->is_done))
        return false;
    c->sending = NULL;
    drop(e);
    return true;
}

bool gput__courier_cancel(struct gput__courier *c, int64_t patience_ns)
{
    struct timespec step = { .tv_nsec = GPUT__NS_PER_MS };
    int64_t until = gput__now() + patience_ns;

    while (c->sending && !atomic_load(&c->sending->is_done) && gput__now() < until)
        nanosleep(&step, NULL);
    if (!c->sending || atomic_load(&c->sending->is_done))
        return false;
    atomic_store(&c->sending->is_cancelled, 1);
    return true;
}

void gput__courier_close(struct gput__courier *c, int64_t patience_ns)
{
    (void)gput__courier_cancel(c, patience_ns);
    if (c->sending)
        drop(c->sending);
    c->sending = NULL;
}

/* --- the last one ----------------------------------------------------------------------------- */

/* In the child: who waits for the end of the tracker's output, or for its locks, must not wait for us. */
static void let_go(void)
{
    long most = sysconf(_SC_OPEN_MAX);
    int nothing;

    if (gput__close_from(3) < 0)
        for (int fd = 3; fd < (most > 65536 ? 65536 : (int)most); fd++)
            close(fd);
    nothing = open("/dev/null", O_RDWR);
    for (int fd = 0; nothing >= 0 && fd < 3; fd++)
        (void)dup2(nothing, fd);
    (void)setsid();
}

static int status_of(pid_t child)
{
    int status = 0;

    if (waitpid(child, &status, 0) < 0)
        return -errno;
    return WIFEXITED(status) ? -WEXITSTATUS(status) : -EINTR;
}

/* -ETIMEDOUT: it has not ended by then. */
static int await(pid_t child, int64_t until)
{
    int handle = gput__process_handle(child);
    struct pollfd p = { .fd = handle, .events = POLLIN };
    struct timespec step = { .tv_nsec = 2 * GPUT__NS_PER_MS };
    siginfo_t si;

    for (;;) {
        int64_t left = until - gput__now();

        si.si_pid = 0;
        if (waitid(P_PID, (id_t)child, &si, WEXITED | WNOHANG | WNOWAIT) == 0 && si.si_pid == child)
            break;
        if (left <= 0)
            break;
        if (handle >= 0)
            (void)poll(&p, 1, (int)(left / GPUT__NS_PER_MS) + 1);
        else
            nanosleep(&step, NULL);
    }
    if (handle >= 0)
        close(handle);
    return si.si_pid == child ? status_of(child) : -ETIMEDOUT;
}

int gput__courier_finish(struct gput__delivery *d, int64_t pause_ns, int64_t patience_ns)
{
    int64_t until = gput__now() + patience_ns;
    struct timespec pause = { .tv_sec = pause_ns / GPUT__NS_PER_S,
                              .tv_nsec = pause_ns % GPUT__NS_PER_S };
    pid_t child = fork();

    if (child < 0)
        return -errno;
    if (child == 0) {
        let_go();
        nanosleep(&pause, NULL);
        _exit(-gput__deliver(d) & 0xff);
    }
    return await(child, until);
}
