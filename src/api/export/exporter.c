/* exporter.c - the tracker's end of an exporter: starts it, hands figures over, waits for its end. */
#include "api/export/exporter.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "api/export/receivers.h"
#include "api/tracker.h"
#include "base/clock.h"
#include "base/system.h"
#include "export/head.h"
#include "net/http_server.h"
#include "store/files/unsafe_path.h"

#define NAME "gput-exporter"
#define USUAL_OTLP_INTERVAL 60.0
#define LEAST_INTERVAL_NS (GPUT__NS_PER_S)
#define START_PATIENCE_MS 2000
#define EXTRA_NS (GPUT__NS_PER_S / 5)
#define NICENESS 5

struct gput_exporter {
    struct gput__export_plan plan;
    struct gput_export_options format;
    struct gput_callbacks on;
    char *metrics_file, *labels, *listen_token, *push_url, *push_token, *otlp_url, *otlp_headers;
    char address[80];
    int socket, handle; /* of the process; -1: none */
    pid_t pid;
    int64_t next_ns;
    bool has_ended; /* no more is sent */
};

/* --- what it is to do ------------------------------------------------------------------------ */

static int plan_file(struct gput_exporter *e, const char *path, struct gput_error *err)
{
    char folder[4096];
    int r;

    if (!path)
        return 0;
    if (path[0] != '/' && getcwd(folder, sizeof(folder))) {
        if (asprintf(&e->metrics_file, "%s/%s", folder, path) < 0)
            e->metrics_file = NULL;
    } else {
        e->metrics_file = strdup(path);
    }
    if (!e->metrics_file)
        return -ENOMEM;
    r = gput_file_replace(e->metrics_file, "");
    e->plan.metrics_file = e->metrics_file;
    return r < 0 ? gput__refuse(err, r, "metrics_file", "'%.200s' cannot be written: %s", path,
                                gput__why_unwritten(r))
                 : 0;
}

static int plan_listen(struct gput_exporter *e, const char *listen, struct gput_error *err)
{
    char why[200];
    int r;

    if (!listen)
        return 0;
    r = gput__receiver_token("GPUT_LISTEN_TOKEN", &e->listen_token, err);
    if (r < 0)
        return r;
    e->plan.listen_token = e->listen_token;
    e->plan.listen_fd = gput__http_listen(listen, why, sizeof(why));
    if (e->plan.listen_fd < 0)
        return gput__refuse(err, e->plan.listen_fd, "listen", "%s", why);
    gput__http_address(e->plan.listen_fd, e->address, sizeof(e->address));
    return 0;
}

/* Each rank has a group of its own: they would replace each other's figures. */
static char *rank_of(const char *labels)
{
    struct gput__pair pair;

    while (gput__pair_next(&labels, &pair))
        if (pair.key_len == 4 && strncmp(pair.key, "rank", 4) == 0)
            return strndup(pair.value, pair.value_len);
    return NULL;
}

static int plan_push(struct gput_exporter *e, const struct gput_exporter_options *o,
                     const char *job_name, struct gput_error *err)
{
    const char *job = job_name ? job_name : o->task ? o->task : "gpu-tracker";
    char host[256] = "", *rank;
    int r;

    if (!o->push)
        return 0;
    r = gput__receiver_check(o->push, "push", err);
    r = r < 0 ? r : gput__receiver_token("GPUT_PUSH_TOKEN", &e->push_token, err);
    if (r < 0)
        return r;
    (void)gethostname(host, sizeof(host) - 1);
    rank = rank_of(e->labels);
    e->push_url = gput__push_url(o->push, job, host, rank);
    free(rank);
    e->plan.push_url = e->push_url;
    e->plan.push_token = e->push_token;
    e->plan.push_delete = o->push_delete;
    e->plan.push_ca = getenv("SSL_CERT_FILE");
    return e->push_url ? 0 : -ENOMEM;
}

static double otlp_interval(void)
{
    const char *text = getenv("OTEL_METRIC_EXPORT_INTERVAL"); /* milliseconds */
    double ms = text ? strtod(text, NULL) : 0;

    return ms >= 100 && ms <= 1e9 ? ms / 1000 : USUAL_OTLP_INTERVAL;
}

static int plan_otlp(struct gput_exporter *e, const char *otlp, struct gput_error *err)
{
    const char *ca = getenv("OTEL_EXPORTER_OTLP_CERTIFICATE");
    int r;

    if (!otlp)
        return 0;
    if (strcmp(otlp, "env") == 0) {
        e->otlp_url = gput__otlp_endpoint();
        if (!e->otlp_url)
            return gput__refuse(err, -EINVAL, "otlp", "OTEL_EXPORTER_OTLP_ENDPOINT is not set");
    }
    r = gput__receiver_check(e->otlp_url ? e->otlp_url : otlp, "otlp", err);
    if (r < 0)
        return r;
    if (!e->otlp_url)
        e->otlp_url = gput__otlp_url(otlp);
    e->otlp_headers = gput__otlp_headers();
    e->plan.otlp_url = e->otlp_url;
    e->plan.otlp_headers = e->otlp_headers;
    e->plan.otlp_ca = ca && *ca ? ca : getenv("SSL_CERT_FILE");
    e->plan.otlp_interval = otlp_interval();
    return e->otlp_url ? 0 : -ENOMEM;
}

static int plan(struct gput_exporter *e, const struct gput_exporter_options *o,
                const struct gput_tracker *t, struct gput_error *err)
{
    int r;

    e->labels = o->labels ? strdup(o->labels) : NULL;
    e->format.labels = e->labels;
    e->format.no_redact = o->no_redact;
    e->on = o->on;
    e->plan.run_id = t->opts.run_id;
    e->plan.keep_metrics = o->keep_metrics;
    r = o->labels && !e->labels ? -ENOMEM : gput_export_check(&e->format, err);
    r = r < 0 ? r : plan_push(e, o, t->opts.job_name, err);
    r = r < 0 ? r : plan_otlp(e, o->otlp, err);
    r = r < 0 ? r : plan_listen(e, o->listen, err);
    return r < 0 ? r : plan_file(e, o->metrics_file, err);
}

/* --- the process ----------------------------------------------------------------------------- */

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
static void stand_apart(const struct gput__export_plan *plan, int fd)
{
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    struct rlimit core = { 0 };
    sigset_t none;

    gput__name_process(NAME);
    (void)setsid();
    for (int i = STDIN_FILENO; null >= 0 && i <= STDERR_FILENO; i++)
        (void)dup2(null, i);
    close_all_but(fd, plan->listen_fd);
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
static pid_t start_process(const struct gput__export_plan *plan, int fd)
{
    pid_t between = fork(), pid;
    int status;

    if (between == 0) {
        pid = fork();
        if (pid == 0) {
            stand_apart(plan, fd);
            gput__exporter_process(plan, fd);
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
static int hear(const struct gput_exporter *e, int timeout_ms, struct gput__export_packet *ret)
{
    struct pollfd p = { .fd = e->socket, .events = POLLIN };
    ssize_t n;

    if (poll(&p, 1, timeout_ms) <= 0)
        return 0;
    n = recv(e->socket, ret, sizeof(*ret), MSG_DONTWAIT);
    if (n < 0 && (errno == EAGAIN || errno == EINTR))
        return 0;
    ret->line[sizeof(ret->line) - 1] = '\0';
    return n == (ssize_t)sizeof(*ret) ? 1 : -1;
}

static int launch(struct gput_exporter *e, struct gput_error *err)
{
    struct gput__export_packet p;
    int pair[2], r;

    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0)
        return gput__refuse(err, -errno, "", "socketpair: %s", strerror(errno));
    r = start_process(&e->plan, pair[1]);
    close(pair[1]);
    e->socket = pair[0];
    if (r == 0 && hear(e, START_PATIENCE_MS, &p) != 1)
        r = -ETIMEDOUT;
    if (r < 0)
        return gput__refuse(err, r, "", "the exporter cannot be started: %s", strerror(-r));
    e->pid = p.pid;
    e->handle = gput__process_handle(p.pid);
    if (e->plan.listen_fd >= 0) /* its own by now */
        close(e->plan.listen_fd);
    e->plan.listen_fd = -1;
    return 0;
}

int gput_exporter_start(const struct gput_exporter_options *from, const struct gput_tracker *t,
                        struct gput_exporter **ret, struct gput_error *ret_err)
{
    struct gput_exporter_options o = { 0 };
    struct gput_error unused, *err = ret_err ? ret_err : &unused;
    struct gput_exporter *e = calloc(1, sizeof(*e));
    int r;

    memcpy(&o, from, from->size < sizeof(o) ? from->size : sizeof(o));
    *err = (struct gput_error){ .field = "" };
    if (!e)
        return gput__refuse(err, -ENOMEM, "", "out of memory");
    e->socket = e->handle = e->plan.listen_fd = -1;
    e->format.size = sizeof(e->format);
    r = plan(e, &o, t, err);
    r = r < 0 ? r : launch(e, err);
    if (r < 0) {
        if (e->metrics_file && r != -EEXIST && r != -EPERM)
            (void)unlink(e->metrics_file);
        gput_exporter_close(e);
        if (!err->text[0])
            (void)gput__refuse(err, r, err->field, "%s", strerror(-r));
        return r;
    }
    *ret = e;
    return 0;
}

const char *gput_exporter_address(const struct gput_exporter *e)
{
    return e->address[0] ? e->address : NULL;
}

/* --- figures --------------------------------------------------------------------------------- */

/* Never waits: what does not fit is in the next text. */
static void send_packet(const struct gput_exporter *e, enum gput__export_message kind, int fd)
{
    struct gput__export_packet p;
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
    (void)sendmsg(e->socket, &m, MSG_NOSIGNAL | MSG_DONTWAIT);
}

static void send_text(struct gput_exporter *e, const struct gput_tracker *t,
                      enum gput_export_format format, enum gput__export_message kind)
{
    char *text = NULL;
    int fd;

    e->format.format = format;
    if (gput_tracker_export(t, &e->format, &text) < 0)
        return;
    fd = gput__memory_file("gput-export");
    if (fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text))
        send_packet(e, kind, fd);
    if (fd >= 0)
        close(fd);
    free(text);
}

static void send_all(struct gput_exporter *e, const struct gput_tracker *t, bool is_final)
{
    if (e->metrics_file || e->address[0] || e->push_url)
        send_text(e, t, GPUT_EXPORT_PROMETHEUS,
                  is_final ? GPUT__EXPORT_FINAL_TEXT : GPUT__EXPORT_TEXT);
    if (e->otlp_url)
        send_text(e, t, GPUT_EXPORT_OTLP, is_final ? GPUT__EXPORT_FINAL_OTLP : GPUT__EXPORT_OTLP);
}

void gput_exporter_update(struct gput_exporter *e, const struct gput_tracker *t)
{
    int64_t now = gput__now();

    if (e->has_ended || now < e->next_ns)
        return;
    e->next_ns = now + LEAST_INTERVAL_NS - GPUT__NS_PER_S / 20; /* records are not quite regular */
    send_all(e, t, false);
}

void gput_exporter_end(struct gput_exporter *e, const struct gput_tracker *t)
{
    if (e->has_ended)
        return;
    send_all(e, t, true);
    send_packet(e, GPUT__EXPORT_END, -1);
    e->has_ended = true;
}

/* --- the end --------------------------------------------------------------------------------- */

static void warn(const struct gput_exporter *e, const char *line)
{
    if (e->on.warn)
        e->on.warn(e->on.ctx, line);
}

static void await_end(struct gput_exporter *e)
{
    int64_t until = gput__now() + (int64_t)(GPUT__EXPORT_END_PATIENCE * 1e9) + EXTRA_NS;
    struct gput__export_packet p;

    for (;;) {
        int64_t left = (until - gput__now()) / GPUT__NS_PER_MS;
        int r = left > 0 ? hear(e, (int)left, &p) : -1;

        if (r < 0 && left > 0)
            return; /* it has gone */
        if (r < 0) {
            warn(e, "the exporter did not end in time; what it had to send may be lost");
            if (e->handle < 0 || gput__process_handle_kill(e->handle, SIGKILL) < 0)
                (void)kill(e->pid, SIGKILL);
            return;
        }
        if (r == 1 && p.kind == GPUT__EXPORT_WARNING)
            warn(e, p.line);
        if (r == 1 && p.kind == GPUT__EXPORT_DONE)
            return;
    }
}

struct gput_exporter *gput_exporter_close(struct gput_exporter *e)
{
    char *texts[7];

    if (!e)
        return NULL;
    if (e->pid && !e->has_ended) /* nothing was measured */
        send_packet(e, GPUT__EXPORT_END, -1);
    if (e->pid)
        await_end(e);
    if (e->socket >= 0)
        close(e->socket);
    if (e->handle >= 0)
        close(e->handle);
    if (e->plan.listen_fd >= 0)
        close(e->plan.listen_fd);
    memcpy(texts,
           (char *[]){ e->metrics_file, e->labels, e->listen_token, e->push_url, e->push_token,
                       e->otlp_url, e->otlp_headers },
           sizeof(texts));
    for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
        free(texts[i]);
    free(e);
    return NULL;
}
