/* page_server.c - the live page: one thread that watches, makes the page and answers those who look at it. */
#include "api/serve/page_server.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/files/run.h"
#include "api/serve/parts.h"
#include "base/clock.h"
#include "net/http_server.h"
#include "report/html/html_text.h"

#define TICK_NS GPUT__NS_PER_S
/* The first figures of a job come soon. */
#define FIRST_TICK_NS (GPUT__NS_PER_S / 10)
#define HTML_TYPE "text/html; charset=utf-8"
#define EVENT_TYPE "text/event-stream"
/* What a viewer has who has the report. */
#define HAS_REPORT UINT64_MAX
#define NO_FRAMES "Content-Security-Policy: frame-ancestors 'none'\r\n"

struct page_server {
    const struct gput__page_plan *plan;
    int control; /* -1: nobody sends a report, or all was said */
    struct gput__http_server *http;
    struct gput__watch watch;
    struct gput__parts parts;
    bool is_fresh;  /* the parts are of what was watched last */
    bool is_orphan; /* the tracker has gone without a word */
    char *report;   /* NULL: the run goes on */
    int64_t next_ns;
    int64_t until_ns; /* 0: nothing is over yet */
};

/* --- the end --------------------------------------------------------------------------------- */

static void begin_end(struct page_server *s)
{
    if (!s->until_ns)
        s->until_ns = gput__now() + s->plan->linger_ns;
}

/* Of what was seen here, as the tracker has sent none. */
static char *make_report(struct page_server *s)
{
    static char killed[] = "a tracker that was killed: its last figures";
    struct gput__run run;
    char *html = NULL;
    int r;

    if (!s->watch.has_view)
        return NULL;
    r = gput__watch_run(&s->watch, &run);
    if (s->is_orphan || s->watch.view.state == GPUT_VIEW_LOST)
        run.source = killed;
    if (r == 0 && gput__report_of_run(&run, s->plan->no_redact, &html) < 0)
        html = NULL;
    gput__watch_run_free(&run);
    return html;
}

static void finish(struct page_server *s)
{
    if (!s->report)
        s->report = make_report(s);
    begin_end(s);
}

/* --- the tracker ----------------------------------------------------------------------------- */

static void hear_all(struct page_server *s)
{
    struct gput__beside_packet p;
    int fd, r;

    while ((r = gput__beside_hear(s->control, &p, &fd)) > 0) {
        char *text = gput__beside_text(fd);

        if (p.kind == GPUT__PAGE_REPORT && text && !s->report)
            s->report = text;
        else
            free(text);
        if (p.kind == GPUT__BESIDE_END)
            break;
    }
    if (r == 0)
        return;
    s->is_orphan = r < 0;
    s->control = -1; /* it has said all, or was killed */
    (void)gput__watch_read(&s->watch);
    finish(s);
}

static void watch(struct page_server *s, int64_t now)
{
    int r;

    if (!s->plan->viewer || s->until_ns || now < s->next_ns)
        return;
    r = gput__watch_read(&s->watch);
    s->next_ns = now + (s->watch.has_view ? TICK_NS : FIRST_TICK_NS);
    s->is_fresh = s->is_fresh && r == 0;
    if (s->control < 0 && (r < 0 || gput__watch_is_over(&s->watch)))
        finish(s);
    else if (r == 1 && gput__http_server_streams(s->http) > 0)
        s->is_fresh = gput__parts_refresh(&s->parts, &s->watch) == 0;
}

/* --- requests -------------------------------------------------------------------------------- */

static void give(struct gput__http_answer *a, int status, char *body, const char *headers)
{
    a->status = body ? status : 503;
    a->body = body;
    a->size = body ? strlen(body) : 0;
    a->headers = headers ? strdup(headers) : NULL;
}

static void give_page(struct page_server *s, struct gput__http_answer *a)
{
    char *html = NULL;

    if (s->report || s->watch.has_view)
        a->type = HTML_TYPE;
    if (s->report) {
        give(a, 200, strdup(s->report), NO_FRAMES);
    } else if (!s->watch.has_view) {
        give(a, 200, strdup("The job is about to start.\n"), "Refresh: 1\r\n");
    } else {
        if (!s->is_fresh)
            s->is_fresh = gput__parts_refresh(&s->parts, &s->watch) == 0;
        give(a, 200, gput__parts_page(&s->parts, &s->watch, &html) < 0 ? NULL : html, NO_FRAMES);
    }
}

static void send_on(const struct page_server *s, struct gput__http_answer *a)
{
    a->status = 303;
    if (asprintf(&a->headers, "Location: /%s/\r\n", s->plan->door->folder) < 0) {
        a->status = 503;
        a->headers = NULL;
    }
}

static void handle(void *ctx, const struct gput__http_head *head, struct gput__http_answer *a)
{
    struct page_server *s = ctx;
    const char *name;

    switch (gput__door_ask(s->plan->door, head, &name)) {
    case GPUT__DOOR_OPENS:
        send_on(s, a);
        return;
    case GPUT__DOOR_INSIDE:
        if (!*name) {
            give_page(s, a);
        } else if (strcmp(name, "events") == 0 && s->plan->viewer) {
            a->status = 200;
            a->type = EVENT_TYPE;
            a->is_stream = true;
        }
        return;
    default:
        give(a, 403,
             strdup("This link does not open the page: it was used before, or it is of another "
                    "run.\nThe address that the first browser shows opens it in others too.\n"),
             NULL);
    }
}

static bool add_news(void *ctx, uint64_t *mark, struct gput__buf *out)
{
    struct page_server *s = ctx;

    if (*mark == HAS_REPORT)
        return true; /* that it goes tells that it has it */
    if (s->report) {
        gput__buf_puts(out, "event: report\ndata: ");
        gput__html_json(out, s->report);
        gput__buf_puts(out, "\n\n");
        *mark = HAS_REPORT;
        return true;
    }
    if (s->watch.has_view && !s->is_fresh)
        s->is_fresh = gput__parts_refresh(&s->parts, &s->watch) == 0;
    gput__parts_event(&s->parts, mark, out);
    return !s->until_ns;
}

/* --- its life -------------------------------------------------------------------------------- */

static bool is_over(const struct page_server *s)
{
    return s->until_ns && (gput__now() >= s->until_ns || !gput__http_server_is_busy(s->http));
}

static int patience_ms(const struct page_server *s)
{
    int64_t due = gput__http_server_due(s->http), left;

    if (s->plan->viewer && !s->until_ns && s->next_ns < due)
        due = s->next_ns;
    if (s->until_ns && s->until_ns < due)
        due = s->until_ns;
    if (due == INT64_MAX)
        return -1;
    left = (due - gput__now()) / GPUT__NS_PER_MS + 1;
    return left < 0 ? 0 : left > 60000 ? 60000 : (int)left;
}

static void turn(struct page_server *s)
{
    struct pollfd fds[1 + GPUT__HTTP_MOST_FDS];
    size_t n = 1;

    fds[0] = (struct pollfd){ .fd = s->control, .events = POLLIN };
    n += gput__http_server_fds(s->http, fds + 1);
    if (poll(fds, n, patience_ms(s)) < 0)
        fds[0].revents = 0;
    if (fds[0].revents)
        hear_all(s);
    watch(s, gput__now());
    gput__http_server_serve(s->http, fds + 1, n - 1, gput__now());
}

static int begin(struct page_server *s)
{
    const struct gput__http_options o = { .handle = handle, .more = add_news, .ctx = s };
    int r = s->plan->viewer ? gput__watch_open(&s->watch, s->plan->viewer, s->plan->no_redact) : 0;

    s->http = gput__http_server_new(s->plan->listen_fd, &o);
    if (s->plan->report)
        s->report = strdup(s->plan->report);
    return r < 0 ? r : s->http && (s->report || !s->plan->report) ? 0 : -ENOMEM;
}

int gput__page_serve(const struct gput__page_plan *plan)
{
    struct page_server s = { .plan = plan, .control = plan->control };
    int r = begin(&s);

    if (r == 0 && s.control >= 0)
        gput__beside_tell(s.control, GPUT__BESIDE_READY, NULL);
    while (r == 0 && !is_over(&s))
        turn(&s);
    if (plan->viewer)
        gput__watch_close(&s.watch);
    gput__parts_free(&s.parts);
    gput__http_server_free(s.http);
    free(s.report);
    return r;
}
