/* helper.c - the helper's end: measures for somebody else, and shows it on the shared snapshot. */
#include "api/inside/helper.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/system.h"
#include "store/files/unsafe_path.h"

/* Figures younger than this are not shown anew at a poll. */
#define FRESH_NS (50 * GPUT__NS_PER_MS)
/* The usage file is as old as this at most. */
#define REFRESH_NS GPUT__NS_PER_S
/* What the helper itself takes moves slowly, and asking is a tenth of a row's price. */
#define PEAK_NS (10 * GPUT__NS_PER_S)
#define QUESTION_PATIENCE_MS 10000
/* A kernel without room for a message now may have it a moment later. */
#define MOST_TRIES 3

/* --- a process of its own --------------------------------------------------------------------- */

/* Descriptors of the tracked program: if we kept the end of a pipe, its reader would wait for us. */
static void close_all_but(int fd)
{
    DIR *dir = opendir("/proc/self/fd");
    struct dirent *entry;

    if (!dir) {
        for (int i = STDERR_FILENO + 1; i < 65536; i++)
            if (i != fd)
                close(i);
        return;
    }
    while ((entry = readdir(dir))) {
        int other = (int)strtol(entry->d_name, NULL, 10);

        if (other > STDERR_FILENO && other != fd && other != dirfd(dir))
            close(other);
    }
    closedir(dir);
}

/* The program's terminal, pipes and real-time priority are not ours. */
static void stand_apart(int fd)
{
    struct sched_param none = { 0 };
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    sigset_t set;

    gput__name_process(GPUT__HELPER_NAME);
    for (int i = STDIN_FILENO; null >= 0 && i <= STDERR_FILENO; i++)
        (void)dup2(null, i);
    close_all_but(fd);
    if (sched_getscheduler(0) != SCHED_OTHER)
        (void)sched_setscheduler(0, SCHED_OTHER, &none);
    sigemptyset(&set);
    (void)sigprocmask(SIG_SETMASK, &set, NULL);
    (void)signal(SIGXFSZ, SIG_IGN); /* a file that may not grow is an error like others */
}

/* --- messages --------------------------------------------------------------------------------- */

/* False: nobody got it. */
static bool send_answer(int fd, const struct gput__answer *a)
{
    ssize_t n = -1;

    for (int tries = 0; tries < MOST_TRIES && n < 0; tries++)
        n = send(fd, a, sizeof(*a), MSG_NOSIGNAL | MSG_DONTWAIT);
    return n >= 0;
}

static bool answer(int fd, enum gput__answer_kind kind, int code, const struct gput_error *e)
{
    struct gput__answer a;

    memset(&a, 0, sizeof(a));
    a.kind = kind;
    a.code = code;
    if (e)
        a.error = *e;
    return send_answer(fd, &a);
}

static void send_warning(void *ctx, const char *line)
{
    struct gput__service *s = ctx;
    struct gput_error e = { .field = "" };

    snprintf(e.text, sizeof(e.text), "%s", line);
    (void)answer(s->socket, GPUT__ANSWER_WARNING, 0, &e);
    atomic_fetch_add_explicit(&s->shared->n_warnings, 1, memory_order_release);
}

struct heard {
    union {
        struct gput__question q;
        char bytes[GPUT__LONGEST_QUESTION];
    };
    size_t len;
    int fds[3];
    size_t n_fds;
};

static int hear(int fd, struct heard *ret)
{
    struct iovec iov = { .iov_base = ret->bytes, .iov_len = sizeof(ret->bytes) };
    union {
        struct cmsghdr head;
        char room[CMSG_SPACE(3 * sizeof(int))];
    } control = { 0 };
    struct msghdr m = { .msg_iov = &iov,
                        .msg_iovlen = 1,
                        .msg_control = control.room,
                        .msg_controllen = sizeof(control.room) };
    struct pollfd p = { .fd = fd, .events = POLLIN };
    struct cmsghdr *c;
    ssize_t n = -1;

    if (poll(&p, 1, QUESTION_PATIENCE_MS) == 0)
        return -ETIMEDOUT;
    for (int tries = 0; tries < MOST_TRIES && n < 0; tries++)
        n = recvmsg(fd, &m, MSG_CMSG_CLOEXEC);
    if (n < 0)
        return -errno;
    ret->len = (size_t)n;
    c = CMSG_FIRSTHDR(&m);
    if (c && c->cmsg_type == SCM_RIGHTS) {
        ret->n_fds = (c->cmsg_len - CMSG_LEN(0)) / sizeof(int);
        memcpy(ret->fds, CMSG_DATA(c), ret->n_fds * sizeof(int));
    }
    return 0;
}

/* Puts the strings behind the question back into its options: they point into the message. */
static int unpack_strings(struct heard *h)
{
    const char **strings[GPUT__N_OPTION_STRINGS];
    const char *p = h->bytes + sizeof(h->q), *end = h->bytes + h->len;

    gput__options_strings(&h->q.options, strings);
    for (size_t i = 0; i < GPUT__N_OPTION_STRINGS; i++) {
        const char *nul;

        *strings[i] = NULL;
        if (p >= end || (*p != '+' && *p != '-'))
            return -EPROTO;
        if (*p++ == '-')
            continue;
        nul = memchr(p, '\0', (size_t)(end - p));
        if (!nul)
            return -EPROTO;
        *strings[i] = p;
        p = nul + 1;
    }
    return 0;
}

static int check_question(struct heard *h, struct gput_error *ret_err)
{
    size_t version_len = strnlen(h->q.version, sizeof(h->q.version));

    if (h->len < sizeof(h->q) || version_len == sizeof(h->q.version) ||
        strcmp(h->q.version, gput_version()) || h->q.options_size != sizeof(h->q.options))
        return gput__refuse(ret_err, -EPROTO, "helper_path",
                            "the helper is gpu-tracker %s, the library %.30s: after an upgrade the "
                            "program that uses it has to be started anew",
                            gput_version(),
                            h->len >= sizeof(h->q) && version_len < sizeof(h->q.version)
                                ? h->q.version
                                : "another");
    if (unpack_strings(h) < 0)
        return gput__refuse(ret_err, -EPROTO, "", "the question to the helper was cut short");
    return 0;
}

/* --- what is shown ---------------------------------------------------------------------------- */

static int write_usage_file(const struct gput__service *s, const struct gput_usage *u)
{
    char *text;
    int r = gput_usage_format(u, GPUT_JSON, 0, &text);

    if (r < 0)
        return r;
    r = gput_file_replace(s->usage_file, text);
    free(text);
    return r;
}

static void update_usage_file(struct gput_tracker *t, const struct gput_usage *u, int64_t now)
{
    struct gput__service *s = t->service;
    int r;

    if (!s->usage_file || (!t->end.at_ns && now - s->written_ns < REFRESH_NS))
        return;
    s->written_ns = now;
    r = write_usage_file(s, u);
    if (r < 0 && !s->usage_file_failed)
        gput__warn(t, "%s: the figures cannot be kept there: %s", s->usage_file, strerror(-r));
    s->usage_file_failed |= r < 0;
}

static void show(struct gput_tracker *t, int64_t now)
{
    struct gput__service *s = t->service;
    struct gput_usage u = { .size = sizeof(u) };
    struct gput_now at_present;

    if (t->end.at_ns || now - s->peak_ns >= PEAK_NS) {
        s->own_peak = gput__own_peak();
        s->peak_ns = now;
    }
    if (gput_tracker_usage(t, &u) < 0)
        return;
    gput_tracker_now(t, &at_present);
    memset(&u.run, 0, sizeof(u.run)); /* who asks knows it */
    gput__shared_show(s->shared, &u, &at_present);
    s->shown_ns = now;
    update_usage_file(t, &u, now);
}

static void copy_word(char *to, size_t cap, const char *from)
{
    snprintf(to, cap, "%s", from ? from : "");
}

/* What was found out is told once. */
static void tell_discovery(struct gput_tracker *t)
{
    struct gput__shared *b = t->service->shared;
    const struct gput_cloud *cloud;
    char *text = NULL;
    size_t len;

    if (!t->job.discovery || t->service->has_told || gput_discovery_wait(t->job.discovery, 0) < 0 ||
        gput_discovery_format(t->job.discovery, GPUT_JSON, &text) < 0)
        return;
    t->service->has_told = true;
    cloud = gput_discovery_cloud(t->job.discovery);
    if (cloud) {
        copy_word(b->cloud.vendor, sizeof(b->cloud.vendor), cloud->vendor);
        copy_word(b->cloud.instance_type, sizeof(b->cloud.instance_type), cloud->instance_type);
        copy_word(b->cloud.region, sizeof(b->cloud.region), cloud->region);
    }
    len = strlen(text);
    if (len < sizeof(b->discovery)) {
        memcpy(b->discovery, text, len);
        atomic_store_explicit(&b->discovery_len, (uint32_t)len, memory_order_release);
    }
    free(text);
}

int64_t gput__service_due(const struct gput_tracker *t)
{
    const struct gput__service *s = t->service;
    int64_t due = s->usage_file ? s->written_ns + REFRESH_NS : INT64_MAX;
    int64_t answer = t->job.discovery && !s->has_told ? gput__now() + FRESH_NS : INT64_MAX;

    return answer < due ? answer : due;
}

void gput__service_show(struct gput_tracker *t, int64_t now)
{
    tell_discovery(t);
    if (now - t->service->shown_ns >= FRESH_NS)
        show(t, now);
}

/* --- the run ---------------------------------------------------------------------------------- */

static bool client_is_gone(const struct gput__service *s)
{
    if (s->client_fd >= 0)
        return gput__is_readable(s->client_fd);
    return kill(s->client, 0) < 0 && errno == ESRCH;
}

static void answer_lap(struct gput_tracker *t, bool wait_for_gpus)
{
    struct gput__answer a;

    memset(&a, 0, sizeof(a));
    a.kind = GPUT__ANSWER_LAP;
    gput__laps_turn(t, wait_for_gpus, &a.lap);
    (void)send_answer(t->service->socket, &a);
}

bool gput__service_told(struct gput_tracker *t, bool is_called)
{
    struct gput__service *s = t->service;
    char word;
    ssize_t n;

    if (!is_called && s->client_fd >= 0)
        return false;
    /* A word, or that nobody holds the other end any more. */
    n = recv(s->socket, &word, 1, MSG_DONTWAIT);
    if (n > 0 && (word == *GPUT__WORD_LAP || word == *GPUT__WORD_LAP_WITH_GPUS)) {
        answer_lap(t, word == *GPUT__WORD_LAP_WITH_GPUS);
        return false;
    }
    if (n >= 0 || errno == ECONNRESET)
        return true;
    s->n_deaf = errno == EAGAIN ? 0 : s->n_deaf + 1;
    return s->n_deaf >= MOST_TRIES || client_is_gone(s);
}

/* A place where the file can never be is refused at once; a full disk may have room later. */
static int begin_usage_file(struct gput_tracker *t, struct gput_error *ret_err)
{
    struct gput__service *s = t->service;
    struct gput_usage u = { .size = sizeof(u) };
    int r;

    if (!s->usage_file)
        return 0;
    s->written_ns = t->job.start_ns;
    r = gput_tracker_usage(t, &u);
    if (r == 0)
        r = write_usage_file(s, &u);
    if (r == 0)
        return 0;
    s->usage_file_failed = true;
    if (r != -ENOSPC && r != -EDQUOT)
        return gput__refuse(ret_err, r, "resource_usage_file", "'%.200s' cannot be written: %s",
                            s->usage_file, gput__why_unwritten(r));
    gput__warn(t, "%s: the figures cannot be kept there: %s", s->usage_file, strerror(-r));
    return 0;
}

static int open_series(struct gput_tracker *t, int fd)
{
    size_t size = 0;
    struct gput__series *series =
        gput__shared_series(t->service->shared, t->service->shared_size, &size);

    if (!(t->opts.flags & GPUT__ROW_FLAGS))
        return 0;
    return gput__streams_open(&t->streams, series, size, t->opts.flags, fd,
                              gput__shared_series_at());
}

static int begin(const struct heard *h, struct gput_tracker *t, struct gput_error *ret_err)
{
    struct gput__service *s = t->service;
    bool is_file = h->q.segment < 0;
    int r = is_file ? gput__shared_map(h->n_fds ? h->fds[0] : -1, &s->shared, &s->shared_size)
                    : gput__shared_attach(h->q.segment, &s->shared, &s->shared_size);

    if (r == 0)
        r = open_series(t, is_file ? h->fds[0] : -1);
    if (r < 0)
        return gput__refuse(ret_err, r, "", "the helper cannot share memory: %s", strerror(-r));
    if (h->q.has_pidfds && h->n_fds == 3) {
        gput__tracker_use_pidfd(t, h->fds[1]);
        s->client_fd = h->fds[2];
    }
    r = gput_tracker_attach(t, h->q.target, ret_err);
    if (r < 0)
        return r;
    s->shared->start_ns = t->job.start_ns;
    if (chdir("/") < 0) /* the program's folder is not ours to hold */
        return gput__refuse(ret_err, -errno, "", "chdir: %s", strerror(errno));
    r = begin_usage_file(t, ret_err);
    if (r == 0)
        show(t, t->job.start_ns);
    return r;
}

static void serve(struct gput_tracker *t)
{
    struct gput__service *s = t->service;

    if (!answer(s->socket, GPUT__ANSWER_READY, 0, NULL))
        return; /* who waits for it sees us end */
    (void)gput_tracker_wait(t);
    tell_discovery(t);
    show(t, t->end.at_ns);
    atomic_store_explicit(&s->shared->final, 1, memory_order_release);
    gput__recording_close(t);
    (void)answer(s->socket, GPUT__ANSWER_DONE, 0, NULL);
}

/* What is named from the folder that we were started in is meant there for good. */
static int be_absolute(struct gput_options *o)
{
    const char **paths[] = { &o->tracking_file, &o->resource_usage_file, &o->proc_root,
                             &o->sys_root };
    char folder[4096];

    if (!getcwd(folder, sizeof(folder)))
        return 0; /* it is gone: what is named from there will be refused */
    for (size_t i = 0; i < sizeof(paths) / sizeof(*paths); i++) {
        char *path;

        if (!*paths[i] || **paths[i] == '/')
            continue;
        if (asprintf(&path, "%s/%s", folder, *paths[i]) < 0)
            return -ENOMEM;
        *paths[i] = path;
    }
    return 0;
}

static int check(int fd, struct gput_tracker *t, struct gput_error *ret_err)
{
    int r = gput__engine_open(t, ret_err);

    if (r == 0)
        (void)answer(fd, GPUT__ANSWER_READY, 0, NULL);
    return r;
}

static int track(int fd, const struct heard *h, struct gput_tracker *t, struct gput_error *ret_err)
{
    struct gput__service s = { .socket = fd,
                               .client_fd = -1,
                               .client = h->q.client,
                               .usage_file = t->opts.resource_usage_file };
    char *target = NULL;
    int r = s.usage_file ? gput_file_follow(s.usage_file, &target) : 0;

    if (r < 0)
        return gput__refuse(ret_err, r, "resource_usage_file", "'%.200s' cannot be written: %s",
                            s.usage_file, gput__why_unwritten(r));
    if (target)
        s.usage_file = target;
    gput__tracker_serve(t, &s, &(struct gput_callbacks){ .ctx = &s, .warn = send_warning });
    r = begin(h, t, ret_err);
    if (r == 0) {
        serve(t);
        return 0;
    }
    gput__tracker_discard(t);
    return r;
}

static int help(int fd, struct gput_error *ret_err)
{
    struct heard *h = calloc(1, sizeof(*h));
    struct gput_tracker *t;
    int r = h ? hear(fd, h) : -ENOMEM;

    if (r == 0)
        r = check_question(h, ret_err);
    if (r < 0)
        return r;
    h->q.options.on = (struct gput_callbacks){ 0 };
    if (be_absolute(&h->q.options) < 0)
        return gput__refuse(ret_err, -ENOMEM, "", "out of memory");
    if (h->q.only_check)
        h->q.options.tracking_file = NULL;
    r = gput_tracker_open(&h->q.options, &t, ret_err);
    if (r < 0)
        return r;
    return h->q.only_check ? check(fd, t, ret_err) : track(fd, h, t, ret_err);
}

/* At the end everything is given back by ending: a driver that takes its time to unload holds
 * nobody up. */
void gput_helper_run(int fd)
{
    struct gput_error e = { .field = "" };
    int own = fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1), r;

    if (own < 0)
        _exit(2);
    stand_apart(own);
    r = gput__give_up_rights();
    if (r == 0)
        r = help(own, &e);
    if (r < 0)
        answer(own, GPUT__ANSWER_REFUSED, r, &e);
    _exit(r < 0);
}
