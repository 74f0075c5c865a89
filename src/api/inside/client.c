/* client.c - the asking end of a helper: starts it, reads its figures, ends it. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "api/inside/helper.h"
#include "api/inside/rows_copy.h"
#include "base/clock.h"
#include "base/system.h"

#define LONGEST_START_NS (30 * GPUT__NS_PER_S)
#define USUAL_PATIENCE 10.0
#define CLOSING_PATIENCE 2.0
#define LONGEST_PATIENCE 1e6
#define PAGE 4096 /* the memory is a whole number of these */
#define DYING_NS (GPUT__NS_PER_S / 2)

/* --- what is ours ---------------------------------------------------------------------------- */

/* Programs that become daemons close all descriptors that there are; the number may be another's by
 * now, and then that of the pidfd, which was opened next, is not to be trusted either. */
bool gput__client_is_ours(struct gput__client *c)
{
    struct stat st;

    if (c->socket < 0 || fstat(c->socket, &st) < 0 || !S_ISSOCK(st.st_mode) ||
        st.st_ino != c->socket_ino)
        c->socket = c->pidfd = -1;
    return c->socket >= 0;
}

static bool is_final(const struct gput__client *c)
{
    return atomic_load_explicit(&c->shared->final, memory_order_acquire);
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
        (void)poll(&p, 1, c->pidfd >= 0 ? 100 : GPUT__PAUSE_MS);
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

static void close_descriptors(struct gput__request *req)
{
    for (size_t i = 0; i < req->n_fds; i++)
        close(req->fds[i]);
    req->n_fds = 0;
}

/* The memory is a file to the kernel: where only small ones may be written, fewer rows are kept; and
 * where even the shared snapshot does not fit, it is no file. */
static size_t room_for_rows(void)
{
    struct rlimit limit;

    if (getrlimit(RLIMIT_FSIZE, &limit) < 0 || limit.rlim_cur == RLIM_INFINITY)
        return SIZE_MAX;
    if (limit.rlim_cur < gput__shared_series_at())
        return SIZE_MAX;
    return ((size_t)limit.rlim_cur - gput__shared_series_at()) / PAGE * PAGE;
}

static int share_memory(struct gput__client *c, struct gput__request *req, uint32_t flags)
{
    size_t size = gput__streams_size(flags, room_for_rows());
    int r = gput__shared_create(size, &c->shared, &req->fds[0]);

    c->shared_size = gput__shared_size(size);
    if (r == 0)
        gput__shared_protect(c->shared, c->shared_size, req->fds[0]);
    if (r != -EFBIG)
        return r;
    req->fds[0] = open("/dev/null", O_RDONLY | O_CLOEXEC); /* in its place */
    if (req->fds[0] < 0)
        return -errno;
    r = gput__shared_create_segment(size, &c->shared, &req->segment);
    if (r == 0)
        gput__shared_protect_segment(c->shared, req->segment);
    else
        close(req->fds[0]);
    return r;
}

static int open_descriptors(struct gput__client *c, struct gput__request *req, uint32_t flags,
                            struct gput_error *ret_err)
{
    int fd, r = share_memory(c, req, flags);

    if (r < 0)
        return gput__refuse(ret_err, r, "", "no memory to share with the helper: %s", strerror(-r));
    c->series = gput__shared_series(c->shared, c->shared_size, &c->series_size);
    req->n_fds = 1;
    fd = gput__process_handle(req->target);
    if (fd < 0 && errno == ESRCH)
        return gput__refuse(ret_err, -ESRCH, "process_id", "there is no process %d", req->target);
    if (fd < 0)
        return 0; /* the helper sees to it otherwise */
    req->fds[req->n_fds++] = fd;
    fd = gput__process_handle(c->owner);
    if (fd >= 0)
        req->fds[req->n_fds++] = fd;
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
    int r = gput__client_await(t, c, gput__now() + LONGEST_START_NS, &a);

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
    struct gput__request req = { .only_check = only_check,
                                 .segment = -1,
                                 .target = t->opts.process_id ? t->opts.process_id : c->owner };
    int other_end = -1, r;

    r = only_check ? 0 : open_descriptors(c, &req, t->opts.flags, ret_err);
    if (r == 0)
        r = start_helper(c, path, &other_end, ret_err);
    if (r < 0)
        goto out;
    r = gput__client_ask(t, c, &req);
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
    close_descriptors(&req);
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
    struct gput__client *c = NULL;
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
    int r = gput__refuse_limits(t, ret_err);

    if (t->client || t->job.start_ns)
        return gput__refuse(ret_err, -EALREADY, "", "it has been started before");
    if (r == 0)
        r = ask(t, false, &t->client, ret_err);
    if (r == 0)
        gput__identity_begin(t, t->client->shared->start_ns);
    return r;
}

/* --- the figures ---------------------------------------------------------------------------- */

/* A warning waits in the socket only if the shared snapshot says so: reading figures takes no system call. */
static void hand_on_warnings(const struct gput_tracker *t)
{
    struct gput__client *c = t->client;
    uint32_t told = atomic_load_explicit(&c->shared->n_warnings, memory_order_acquire);
    struct gput__answer a;

    if (told == c->n_warnings || c->stopped || c->owner != getpid() || !gput__client_is_ours(c))
        return;
    c->n_warnings = told;
    (void)gput__client_next(t, c, &a); /* DONE is not said before we ask for it */
}

static bool is_over(const struct gput__client *c)
{
    return c->stopped || is_final(c);
}

static double elapsed(const struct gput__client *c)
{
    return gput__seconds(gput__now() - c->shared->start_ns);
}

int gput__client_usage(const struct gput_tracker *t, struct gput_usage *ret_usage)
{
    struct gput__client *c = t->client;
    struct gput_usage u;
    struct gput_now now;
    bool over = is_over(c);
    int r;

    hand_on_warnings(t);
    r = gput__shared_read(c->shared, &c->slot, &u, &now);
    if (r < 0)
        return r;
    if (!over)
        u.compute_time.time.value = elapsed(c);
    gput__identity_fill(t, &u);
    gput__budget_fill(t, &u);
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
    if (gput__shared_read(c->shared, &c->slot, &u, &now) < 0)
        now = (struct gput_now){ 0 };
    if (!over)
        now.elapsed = elapsed(c);
    *ret_now = now;
}

int gput_tracker_discovered(const struct gput_tracker *t, char **ret_json)
{
    const struct gput__shared *b = t->client ? t->client->shared : NULL;
    uint32_t len = b ? atomic_load_explicit(&b->discovery_len, memory_order_acquire) : 0;

    if (len == 0 || len > sizeof(b->discovery))
        return -EAGAIN;
    *ret_json = strndup(b->discovery, len);
    return *ret_json ? 0 : -ENOMEM;
}

/* --- the end -------------------------------------------------------------------------------- */

/* The tracked process lives on and nobody has asked: our end of the socket was closed by somebody. */
static bool ended_early(struct gput__client *c)
{
    struct gput_usage u;
    struct gput_now now;

    return gput__shared_read(c->shared, &c->slot, &u, &now) == 0 && u.job.ending == GPUT_DETACHED;
}

static int ask_to_stop(const struct gput_tracker *t, struct gput__client *c, int64_t until)
{
    struct gput__answer a;
    int r;

    (void)send(c->socket, GPUT__WORD_STOP, 1, MSG_NOSIGNAL | MSG_DONTWAIT);
    r = gput__client_await(t, c, until, &a);
    return is_final(c) ? 0 : r;
}

static void drop_descriptors(struct gput__client *c)
{
    if (!gput__client_is_ours(c))
        return;
    close(c->socket);
    if (c->pidfd >= 0)
        close(c->pidfd);
    c->socket = c->pidfd = -1;
}

static int stop(const struct gput_tracker *t, struct gput__client *c, double patience)
{
    int64_t until = deadline(patience);
    bool has_socket = gput__client_is_ours(c);
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
    drop_descriptors(c);
    return r;
}

static double seconds_shown(struct gput__client *c)
{
    struct gput_usage u;
    struct gput_now now = { 0 };

    (void)gput__shared_read(c->shared, &c->slot, &u, &now);
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
        if (gput__client_is_ours(c))
            (void)send(c->socket, GPUT__WORD_STOP, 1, MSG_NOSIGNAL | MSG_DONTWAIT);
        await_end(c, deadline(CLOSING_PATIENCE));
    }
    gput__rows_copy_drop(c->rows);
    gput__shared_unmap(c->shared, c->shared_size);
    drop_descriptors(c);
    free(c->slot);
    free(c);
}
