/* exporter_process.c - the exporter itself: hears the tracker, keeps a file, answers requests, sends.
 *
 * One thread does all but sending, and never waits for a receiver: when the time is over it keeps what
 * could not be sent and ends, whatever the senders are held in. */
#include "api/export/exporter.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "api/export/sender.h"
#include "base/clock.h"
#include "base/system.h"
#include "net/http_server.h"

#define TEXT_TYPE "text/plain; version=0.0.4; charset=utf-8"
/* The tracker waits a little longer. */
#define LAST_PATIENCE_NS (17 * GPUT__NS_PER_S / 10)
#define MOST_PUSHES_S 15.0
enum { PUSH, OTLP, N_SENDERS };

struct exporter {
    const struct gput__export_plan *plan;
    int control, event; /* control -1: the tracker has said all, or is gone */
    char *text;         /* the newest; NULL: none yet */
    struct gput__http_server *server;
    struct gput__sender *senders[N_SENDERS]; /* NULL: none */
    char *spools[N_SENDERS];
    int64_t until_ns; /* 0: the run goes on */
    bool file_has_failed;
};

/* --- texts from the tracker ------------------------------------------------------------------ */

static void write_file(struct exporter *e)
{
    int r = gput_file_replace(e->plan->metrics_file, e->text);
    char line[400];

    if (r == 0 || e->file_has_failed)
        return;
    e->file_has_failed = true;
    snprintf(line, sizeof(line), "--metrics-file: '%.200s' cannot be written: %s",
             e->plan->metrics_file, strerror(-r));
    gput__beside_tell(e->control, GPUT__BESIDE_WARNING, line);
}

static void add(struct exporter *e, int sender, const char *text)
{
    char *copy = e->senders[sender] ? strdup(text) : NULL;

    if (copy)
        gput__sender_add(e->senders[sender], copy);
}

static void publish(struct exporter *e, char *text)
{
    free(e->text);
    e->text = text;
    if (e->plan->metrics_file)
        write_file(e);
    add(e, PUSH, text);
}

static void begin_end(struct exporter *e)
{
    if (e->until_ns)
        return;
    e->until_ns = gput__now() + LAST_PATIENCE_NS;
    if (e->plan->metrics_file && !e->plan->keep_metrics)
        (void)unlink(e->plan->metrics_file);
    for (int i = 0; i < N_SENDERS; i++)
        if (e->senders[i])
            gput__sender_end(e->senders[i], e->until_ns);
}

static void apply_packet(struct exporter *e, const struct gput__beside_packet *p, int fd)
{
    char *text = gput__beside_text(fd);

    if (p->kind == GPUT__BESIDE_END)
        begin_end(e);
    else if (text && (p->kind == GPUT__EXPORT_TEXT || p->kind == GPUT__EXPORT_FINAL_TEXT))
        publish(e, text);
    else if (text && (p->kind == GPUT__EXPORT_OTLP || p->kind == GPUT__EXPORT_FINAL_OTLP)) {
        add(e, OTLP, text);
        free(text);
    } else {
        free(text);
    }
}

static void hear_all(struct exporter *e)
{
    struct gput__beside_packet p;
    int fd, r;

    while ((r = gput__beside_hear(e->control, &p, &fd)) > 0)
        apply_packet(e, &p, fd);
    if (r < 0)
        begin_end(e); /* it was killed, or has no more to say */
}

/* --- requests -------------------------------------------------------------------------------- */

static void handle(void *ctx, const struct gput__http_head *head, struct gput__http_answer *ret)
{
    const struct exporter *e = ctx;

    if (strcmp(head->path, "/") == 0) {
        ret->body = strdup("gpu-tracker: the figures are at /metrics\n");
    } else if (strcmp(head->path, "/metrics") == 0) {
        ret->status = 503;
        ret->type = TEXT_TYPE;
        ret->body = e->text ? strdup(e->text) : NULL;
    }
    if (ret->body) {
        ret->status = 200;
        ret->size = strlen(ret->body);
    }
}

/* --- its life -------------------------------------------------------------------------------- */

static char *spool_of(const struct gput__export_plan *plan, const char *end)
{
    char *name = NULL, *path = NULL;

    if (asprintf(&name, "unsent-%s.%s", plan->run_id, end) < 0)
        return NULL;
    if (gput_user_file(GPUT_STATE_FILE, name, &path) < 0)
        path = NULL;
    free(name);
    return path;
}

static void start_senders(struct exporter *e)
{
    const struct gput__export_plan *plan = e->plan;
    struct gput__sender_options push = { .what = "--push",
                                         .url = plan->push_url,
                                         .type = TEXT_TYPE,
                                         .token = plan->push_token,
                                         .ca_file = plan->push_ca,
                                         .last_alone = !plan->push_delete,
                                         .is_deleted = plan->push_delete,
                                         .interval = MOST_PUSHES_S,
                                         .event = e->event };
    struct gput__sender_options otlp = { .what = "--otlp",
                                         .url = plan->otlp_url,
                                         .headers = plan->otlp_headers,
                                         .type = "application/json",
                                         .ca_file = plan->otlp_ca,
                                         .is_packed = true,
                                         .interval = plan->otlp_interval,
                                         .event = e->event };

    push.spool = e->spools[PUSH] = spool_of(plan, "prom");
    otlp.spool = e->spools[OTLP] = spool_of(plan, "otlp.json");
    if (push.url)
        e->senders[PUSH] = gput__sender_start(&push);
    if (otlp.url)
        e->senders[OTLP] = gput__sender_start(&otlp);
}

static void start(struct exporter *e)
{
    struct gput__http_options o = { .token = e->plan->listen_token, .handle = handle, .ctx = e };

    e->event = gput__event_open();
    if (e->plan->listen_fd >= 0)
        e->server = gput__http_server_new(e->plan->listen_fd, &o);
    start_senders(e);
}

static bool is_over(struct exporter *e)
{
    if (!e->until_ns)
        return false;
    if (gput__now() >= e->until_ns)
        return true;
    for (int i = 0; i < N_SENDERS; i++)
        if (e->senders[i] && !gput__sender_is_done(e->senders[i]))
            return false;
    return true;
}

static int patience_ms(const struct exporter *e)
{
    int64_t due = e->server ? gput__http_server_due(e->server) : INT64_MAX, left;

    if (e->until_ns && e->until_ns < due)
        due = e->until_ns;
    if (due == INT64_MAX)
        return -1;
    left = (due - gput__now()) / GPUT__NS_PER_MS + 1;
    return left < 0 ? 0 : left > 60000 ? 60000 : (int)left;
}

static void turn(struct exporter *e)
{
    struct pollfd fds[2 + GPUT__HTTP_MOST_FDS];
    size_t n = 2;

    fds[0] = (struct pollfd){ .fd = e->until_ns ? -1 : e->control, .events = POLLIN };
    fds[1] = (struct pollfd){ .fd = e->event, .events = POLLIN };
    if (e->server)
        n += gput__http_server_fds(e->server, fds + 2);
    if (poll(fds, n, patience_ms(e)) < 0 && errno != EINTR)
        begin_end(e);
    gput__event_clear(e->event);
    if (e->server)
        gput__http_server_serve(e->server, fds + 2, n - 2, gput__now());
    if (fds[0].revents)
        hear_all(e);
}

static void keep_unsent(struct exporter *e)
{
    char line[480];

    for (int i = 0; i < N_SENDERS; i++)
        if (e->senders[i] && gput__sender_keep_unsent(e->senders[i], line, sizeof(line)))
            gput__beside_tell(e->control, GPUT__BESIDE_WARNING, line);
}

void gput__exporter_process(const struct gput__export_plan *plan, int fd)
{
    struct exporter e = { .plan = plan, .control = fd };

    start(&e);
    gput__beside_tell(e.control, GPUT__BESIDE_READY, NULL);
    while (!is_over(&e))
        turn(&e);
    keep_unsent(&e);
    gput__beside_tell(e.control, GPUT__BESIDE_DONE, NULL);
    _exit(0); /* a sender may be held in a call: nothing is given back by hand */
}
