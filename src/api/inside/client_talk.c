/* client_talk.c - what is said between a tracker and its helper, at the tracker's end. */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include "api/inside/helper.h"
#include "base/buf.h"
#include "base/clock.h"

static int pack_question(const struct gput_tracker *t, const struct gput__request *req,
                         struct gput__buf *ret)
{
    struct gput_options strings_of = t->opts;
    const char **strings[GPUT__N_OPTION_STRINGS];
    struct gput__question q;

    memset(&q, 0, sizeof(q)); /* padding is sent too */
    snprintf(q.version, sizeof(q.version), "%s", gput_version());
    q.options_size = sizeof(q.options);
    q.only_check = req->only_check;
    q.has_pidfds = req->n_fds == 3;
    q.segment = req->segment;
    q.target = req->target;
    q.client = getpid();
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
        m.msg_controllen = (socklen_t)CMSG_SPACE(n_fds * sizeof(int)); /* musl's type */
        c = CMSG_FIRSTHDR(&m);
        c->cmsg_level = SOL_SOCKET;
        c->cmsg_type = SCM_RIGHTS;
        c->cmsg_len = (socklen_t)CMSG_LEN(n_fds * sizeof(int));
        memcpy(CMSG_DATA(c), fds, n_fds * sizeof(int));
    }
    return sendmsg(fd, &m, MSG_NOSIGNAL) < 0 ? -errno : 0;
}

static void hand_on_warning(const struct gput_tracker *t, const struct gput__answer *a)
{
    gput__warn(t, "%s", a->error.text);
}

int gput__client_next(const struct gput_tracker *t, const struct gput__client *c,
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
        ret->error.field[sizeof(ret->error.field) - 1] = '\0'; /* it comes from outside */
        ret->error.text[sizeof(ret->error.text) - 1] = '\0';
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

    if (c->pidfd < 0 && ms > GPUT__PAUSE_MS)
        ms = GPUT__PAUSE_MS;
    (void)poll(p, 2, ms < 0 ? 0 : (int)(ms > 60000 ? 60000 : ms));
}

int gput__client_await(const struct gput_tracker *t, const struct gput__client *c, int64_t until,
                       struct gput__answer *ret)
{
    for (;;) {
        bool ended =
            gput__client_has_ended(c); /* asked first: what it had said before is then there */
        int r = gput__client_next(t, c, ret);

        if (r == 1)
            return 0;
        if (r == 0 || ended)
            return -EPIPE;
        if (gput__now() >= until)
            return -ETIMEDOUT;
        wait_a_while(c, until);
    }
}

int gput__client_ask(const struct gput_tracker *t, const struct gput__client *c,
                     const struct gput__request *req)
{
    struct gput__buf text = { 0 };
    int r = pack_question(t, req, &text);

    if (r == 0)
        r = send_question(c->socket, &text, req->fds, req->n_fds == 2 ? 1 : req->n_fds);
    gput__buf_free(&text);
    return r;
}
