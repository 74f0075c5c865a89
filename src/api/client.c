/* client.c - the asking end of a helper: starts it, reads its figures, ends it. */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "api/helper.h"
#include "base/buf.h"
#include "base/clock.h"

#define LONGEST_START_NS (30 * GPUT__NS_PER_S)
#define USUAL_PATIENCE 10.0
#define CLOSING_PATIENCE 2.0
#define LONGEST_PATIENCE 1e6
#define DYING_NS (GPUT__NS_PER_S / 2)
/* Kernels without pidfds are asked again and again whether the helper has ended. */
#define PAUSE_MS 2

/* --- what is ours ---------------------------------------------------------------------------- */

/* Programs that become daemons close all descriptors that there are; the number may be another's by
 * now, and then that of the pidfd, which was opened next, is not to be trusted either. */
static bool is_own_socket(struct gput__client *c)
{
    struct stat st;

    if (c->socket < 0 || fstat(c->socket, &st) < 0 || !S_ISSOCK(st.st_mode) ||
        st.st_ino != c->socket_ino)
        c->socket = c->pidfd = -1;
    return c->socket >= 0;
}

static bool is_final(const struct gput__client *c)
{
    return atomic_load_explicit(&c->board->final, memory_order_acquire);
}

/* --- messages ------------------------------------------------------------------------------- */

static int pack_question(const struct gput_tracker *t, bool only_check, pid_t target,
                         bool has_pidfds, struct gput__buf *ret)
{
    struct gput_options strings_of = t->opts;
    const char **strings[GPUT__N_OPTION_STRINGS];
    struct gput__question q;

    memset(&q, 0, sizeof(q)); /* padding is sent too */
    snprintf(q.version, sizeof(q.version), "%s", gput_version());
    q.options_size = sizeof(q.options);
    q.only_check = only_check;
    q.has_pidfds = has_pidfds;
    q.target = target;
    q.asker = getpid();
    q.options = t->opts;
    gput__buf_add(ret, (const char *)&q, sizeof(q));
    gput__options_strings(&strings_of, strings);
    for (size_t i = 0; i < GPUT__N_OPTION_STRINGS; i++) {
        gput__buf_add(ret, *strings[i] ? "+" : "-", 1);
        if (*strings[i])
            gput__buf_add(ret, *strings[i], strlen(*strings[i]) + 1);
    }
    return ret->len > GPUT__LONGEST_QUESTION ? -E2BIG : ret->err;
}

static int send_question(int fd, const struct gput__buf *text, const int *fds, size_t n_fds)
{
    struct iovec iov = { .iov_base = text->data, .iov_len = text->len };
    union {
        struct cmsghdr head;
        char room[CMSG_SPACE(3 * sizeof(int))];
    } control = { 0 };
    struct msghdr m = { .msg_iov = &iov, .msg_iovlen = 1 };
    struct cmsghdr *c;

    if (n_fds) {
        m.msg_control = control.room;
        m.msg_controllen = CMSG_SPACE(n_fds * sizeof(int));
        c = CMSG_FIRSTHDR(&m);
        c->cmsg_level = SOL_SOCKET;
        c->cmsg_type = SCM_RIGHTS;
        c->cmsg_len = CMSG_LEN(n_fds * sizeof(int));
        memcpy(CMSG_DATA(c), fds, n_fds * sizeof(int));
    }
    return sendmsg(fd, &m, MSG_NOSIGNAL) < 0 ? -errno : 0;
}

static void hand_on_warning(const struct gput_tracker *t, const struct gput__answer *a)
{
    gput__warn(t, "%.*s", (int)sizeof(a->error.text), a->error.text);
}

/* The next message but warnings, which are handed on.  0: the helper is gone. -EAGAIN: there is
 * none. */
static int next_answer(const struct gput_tracker *t, const struct gput__client *c,
                       struct gput__answer *ret)
{
    for (;;) {
        ssize_t n = recv(c->socket, ret, sizeof(*ret), MSG_DONTWAIT);

        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return errno == EAGAIN ? -EAGAIN : 0;
        if (n != (ssize_t)sizeof(*ret))
            return 0;
        if (ret->kind != GPUT__ANSWER_WARNING)
            return 1;
        hand_on_warning(t, ret);
    }
}

/* Waits for something to be read or for the helper's end.  A fork at a bad moment may have left the
 * helper's end of the socket open in a child of the program, so that end alone does not tell. */
static void wait_a_while(const struct gput__client *c, int64_t until)
{
    struct pollfd p[] = { { .fd = c->socket, .events = POLLIN },
                          { .fd = c->pidfd, .events = POLLIN } };
    int64_t ms = (until - gput__now()) / GPUT__NS_PER_MS + 1;

    if (c->pidfd < 0 && ms > PAUSE_MS)
        ms = PAUSE_MS;
    (void)poll(p, 2, ms < 0 ? 0 : (int)(ms > 60000 ? 60000 : ms));
}

/* An answer that is no warning: 0.  -EPIPE: the helper has ended without one; -ETIMEDOUT. */
static int await_answer(const struct gput_tracker *t, const struct gput__client *c, int64_t until,
                        struct gput__answer *ret)
{
    for (;;) {
        bool ended =
            gput__client_has_ended(c); /* asked first: what it had said before is then there */
        int r = next_answer(t, c, ret);

        if (r == 1)
            return 0;
        if (r == 0 || ended)
            return -EPIPE;
        if (gput__now() >= until)
            return -ETIMEDOUT;
        wait_a_while(c, until);
    }
}

static int64_t deadline(double patience)
{
    return gput__now() +
           (int64_t)((patience < LONGEST_PATIENCE ? patience : LONGEST_PATIENCE) * 1e9);
}

static void await_end(struct gput__client *c, int64_t until)
{
    bool killed = false;

    while (!gput__client_has_ended(c)) {
        struct pollfd p = { .fd = c->pidfd, .events = POLLIN };

        if (gput__now() >= until && killed) { /* held in the kernel: it dies when it is let go */
            c->pid = 0;
            return;
        }
        if (gput__now() >= until) {
            gput__client_kill(c);
            killed = true;
            until = gput__now() + DYING_NS;
        }
        (void)poll(&p, 1, c->pidfd >= 0 ? 100 : PAUSE_MS);
    }
    gput__client_reap(c);
}

/* --- the start ------------------------------------------------------------------------------ */

static struct gput__client *new_client(void)
{
    struct gput__client *c = calloc(1, sizeof(*c));

    if (c) {
        c->owner = getpid();
        c->socket = c->pidfd = -1;
    }
    return c;
}

/* What goes along with the question. */
struct luggage {
    int fds[3]; /* the board, the pidfds of who is tracked and of us */
    size_t n;
};

static void drop_luggage(struct luggage *l)
{
    for (size_t i = 0; i < l->n; i++)
        close(l->fds[i]);
    l->n = 0;
}

static int pack_luggage(pid_t target, struct gput__client *c, struct luggage *ret,
                        struct gput_error *ret_err)
{
    int fd, r = gput__board_create(&c->board, &ret->fds[0]);

    if (r < 0)
        return gput__refuse(ret_err, r, "", "no memory to share with the helper: %s", strerror(-r));
    ret->n = 1;
    fd = (int)syscall(SYS_pidfd_open, target, 0);
    if (fd < 0 && errno == ESRCH)
        return gput__refuse(ret_err, -ESRCH, "process_id", "there is no process %d", target);
    if (fd < 0)
        return 0; /* the helper sees to it otherwise */
    ret->fds[ret->n++] = fd;
    fd = (int)syscall(SYS_pidfd_open, c->owner, 0);
    if (fd >= 0)
        ret->fds[ret->n++] = fd;
    return 0;
}

static int start_helper(struct gput__client *c, const char *path, int *ret_other_end,
                        struct gput_error *ret_err)
{
    struct stat st;
    int ends[2], r;

    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) < 0)
        return gput__refuse(ret_err, -errno, "", "socketpair: %s", strerror(errno));
    c->socket = ends[0];
    if (fstat(ends[0], &st) == 0)
        c->socket_ino = st.st_ino;
    *ret_other_end = ends[1];
    r = gput__client_launch(c, path, ends[1]);
    if (r < 0)
        return gput__refuse(ret_err, r, "helper_path", "the helper '%.200s' cannot be run: %s",
                            path, strerror(-r));
    return 0;
}

static int explain(int r, const char *path, struct gput_error *ret_err)
{
    if (r == -EPIPE)
        return gput__refuse(ret_err, -EPROTO, "helper_path",
                            "'%.200s' ended without an answer: it is not the gpu-tracker %s that "
                            "belongs to this library",
                            path, gput_version());
    return gput__refuse(ret_err, r, "helper_path", "the helper '%.200s' did not answer", path);
}

static int hear_answer(const struct gput_tracker *t, struct gput__client *c, const char *path,
                       struct gput_error *ret_err)
{
    struct gput__answer a;
    int r = await_answer(t, c, gput__now() + LONGEST_START_NS, &a);

    if (r < 0)
        return explain(r, path, ret_err);
    if (a.kind == GPUT__ANSWER_READY)
        return 0;
    if (a.kind != GPUT__ANSWER_REFUSED || a.code >= 0)
        return explain(-EPIPE, path, ret_err);
    if (ret_err)
        *ret_err = a.error;
    return a.code;
}

static int talk(const struct gput_tracker *t, bool only_check, struct gput__client *c,
                const char *path, struct gput_error *ret_err)
{
    pid_t target = t->opts.process_id ? t->opts.process_id : c->owner;
    struct gput__buf text = { 0 };
    struct luggage l = { .n = 0 };
    int other_end = -1, r;

    r = only_check ? 0 : pack_luggage(target, c, &l, ret_err);
    if (r == 0)
        r = start_helper(c, path, &other_end, ret_err);
    if (r < 0)
        goto out;
    r = pack_question(t, only_check, target, l.n == 3, &text);
    if (r == 0)
        r = send_question(c->socket, &text, l.fds, l.n == 2 ? 1 : l.n);
    /* One that has ended already says so better itself. */
    r = r < 0 && r != -EPIPE && r != -ECONNRESET
            ? gput__refuse(ret_err, r, "", "the helper cannot be asked: %s", strerror(-r))
            : 0;
    close(other_end);
    other_end = -1;
    if (r == 0)
        r = hear_answer(t, c, path, ret_err);
out:
    if (other_end >= 0)
        close(other_end);
    gput__buf_free(&text);
    drop_luggage(&l);
    return r;
}

static int ask(const struct gput_tracker *t, bool only_check, struct gput__client **ret_client,
               struct gput_error *ret_err)
{
    struct gput__client *c = new_client();
    char *path = NULL;
    int r;

    if (!c)
        return gput__refuse(ret_err, -ENOMEM, "", "out of memory");
    r = gput_helper_find(&t->opts, &path, ret_err);
    if (r == 0)
        r = talk(t, only_check, c, path, ret_err);
    free(path);
    if (r < 0) {
        if (c->pid) {
            gput__client_kill(c);
            await_end(c, 0);
        }
        gput__client_close(c);
        return r;
    }
    *ret_client = c;
    return 0;
}

int gput_tracker_check(struct gput_tracker *t, struct gput_error *ret_err)
{
    struct gput__client *c;
    int r;

    if (!t->opts.gpu_uuids)
        return 0;
    r = ask(t, true, &c, ret_err);
    if (r == 0)
        gput__client_close(c);
    return r;
}

int gput_tracker_start(struct gput_tracker *t, struct gput_error *ret_err)
{
    if (t->client || t->start_ns)
        return gput__refuse(ret_err, -EALREADY, "", "it has been started before");
    if (t->opts.timeout > 0)
        return gput__refuse_timeout(ret_err);
    return ask(t, false, &t->client, ret_err);
}

/* --- the figures ---------------------------------------------------------------------------- */

/* A warning waits in the socket only if the board says so: reading figures takes no system call. */
static void hand_on_warnings(const struct gput_tracker *t)
{
    struct gput__client *c = t->client;
    uint32_t told = atomic_load_explicit(&c->board->n_warnings, memory_order_acquire);
    struct gput__answer a;

    if (told == c->n_warnings || c->stopped || c->owner != getpid() || !is_own_socket(c))
        return;
    c->n_warnings = told;
    (void)next_answer(t, c, &a); /* DONE is not said before we ask for it */
}

static bool is_over(const struct gput__client *c)
{
    return c->stopped || is_final(c);
}

static double elapsed(const struct gput__client *c)
{
    return gput__seconds(gput__now() - c->board->start_ns);
}

int gput__client_usage(const struct gput_tracker *t, struct gput_usage *ret_usage)
{
    struct gput__client *c = t->client;
    struct gput_usage u;
    struct gput_now now;
    bool over = is_over(c);
    int r;

    hand_on_warnings(t);
    r = gput__board_read(c->board, &c->page, &u, &now);
    if (r < 0)
        return r;
    if (!over)
        u.compute_time.time.value = elapsed(c);
    u.size = ret_usage->size < sizeof(u) ? ret_usage->size : (uint32_t)sizeof(u);
    memcpy(ret_usage, &u, u.size);
    return 0;
}

void gput__client_now(const struct gput_tracker *t, struct gput_now *ret_now)
{
    struct gput__client *c = t->client;
    bool over = is_over(c);
    struct gput_usage u;
    struct gput_now now;

    hand_on_warnings(t);
    if (gput__board_read(c->board, &c->page, &u, &now) < 0)
        now = (struct gput_now){ 0 };
    if (!over)
        now.elapsed = elapsed(c);
    *ret_now = now;
}

/* --- the end -------------------------------------------------------------------------------- */

/* The tracked process lives on and nobody has asked: our end of the socket was closed by somebody. */
static bool ended_early(struct gput__client *c)
{
    struct gput_usage u;
    struct gput_now now;

    return gput__board_read(c->board, &c->page, &u, &now) == 0 && u.job.ending == GPUT_DETACHED;
}

static int ask_to_stop(const struct gput_tracker *t, struct gput__client *c, int64_t until)
{
    struct gput__answer a;
    int r;

    (void)send(c->socket, "s", 1, MSG_NOSIGNAL | MSG_DONTWAIT);
    r = await_answer(t, c, until, &a);
    return is_final(c) ? 0 : r;
}

static int stop(const struct gput_tracker *t, struct gput__client *c, double patience)
{
    int64_t until = deadline(patience);
    bool has_socket = is_own_socket(c);
    int r;

    c->stopped = true;
    if (is_final(c)) /* before it was told to stop */
        r = ended_early(c) ? -EPIPE : 0;
    else if (!has_socket)
        r = -EPIPE;
    else
        r = ask_to_stop(t, c, until);
    /* The figures are there, or never will be: now it only has to go. */
    await_end(c, r == -ETIMEDOUT ? 0 : deadline(CLOSING_PATIENCE));
    return r;
}

static double seconds_shown(struct gput__client *c)
{
    struct gput_usage u;
    struct gput_now now = { 0 };

    (void)gput__board_read(c->board, &c->page, &u, &now);
    return now.elapsed;
}

int gput_tracker_stop(struct gput_tracker *t, double patience, struct gput_error *ret_err)
{
    struct gput__client *c = t->client;
    int r;

    if (!c)
        return gput__refuse(ret_err, -EINVAL, "", "tracking has not been started");
    if (c->owner != getpid())
        return 0;
    if (c->stopped)
        return gput__refuse(ret_err, -EALREADY, "", "tracking has been stopped before");
    r = stop(t, c, patience > 0 ? patience : USUAL_PATIENCE);
    if (r < 0)
        gput__refuse(ret_err, r, "",
                     "the helper process %s: the figures are those of the first %.3f seconds",
                     r == -ETIMEDOUT ? "did not answer and was killed"
                     : is_final(c)   ? "ended before it was told to"
                                     : "has died",
                     seconds_shown(c));
    return r;
}

void gput__client_close(struct gput__client *c)
{
    if (!c)
        return;
    if (c->owner == getpid() && c->pid) {
        if (is_own_socket(c))
            (void)send(c->socket, "s", 1, MSG_NOSIGNAL | MSG_DONTWAIT);
        await_end(c, deadline(CLOSING_PATIENCE));
    }
    gput__board_unmap(c->board);
    if (is_own_socket(c)) {
        close(c->socket);
        if (c->pidfd >= 0)
            close(c->pidfd);
    }
    free(c->page);
    free(c);
}
