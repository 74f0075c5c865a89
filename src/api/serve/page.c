/* page.c - the live page behind gput.h: of a run that this tracker begins, of another, of a finished one. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "api/live/viewer.h"
#include "api/serve/page_server.h"
#include "api/tracker.h"
#include "base/clock.h"
#include "net/http_server.h"

#define NAME "gput-page"
/* Any port that is free, for this machine alone. */
#define USUAL_ADDRESS "127.0.0.1:0"
/* Of a run that this tracker makes it ends with it, which waits a little longer: page and figures go over a
 * network.  Else nobody waits for us. */
#define LINGER_NS (17 * GPUT__NS_PER_S / 10)
#define END_PATIENCE_NS (22 * GPUT__NS_PER_S / 10)
#define LONG_LINGER_NS (10 * GPUT__NS_PER_S)

struct gput_page {
    struct gput__page_plan plan;
    struct gput__door door;
    struct gput__beside beside;
    struct gput_callbacks on;
    char *report, *url;
    const struct gput_tracker *tracker; /* that it is beside of */
    pid_t pid;                          /* whose process we were when it was started */
    bool has_ended;
};

/* --- opening --------------------------------------------------------------------------------- */

/* An address that stands for all of the machine's is none that a browser can ask. */
static char *make_url(const struct gput_page *p)
{
    char address[80], host[256] = "";
    const char *port;
    char *url;
    int n;

    gput__http_address(p->plan.listen_fd, address, sizeof(address));
    port = strrchr(address, ':');
    if (port && (strncmp(address, "0.0.0.0:", 8) == 0 || strncmp(address, "[::]:", 5) == 0) &&
        gethostname(host, sizeof(host) - 1) == 0 && host[0])
        n = asprintf(&url, "http://%s%s/?token=%s", host, port, gput__door_token(&p->door));
    else
        n = asprintf(&url, "http://%s/?token=%s", address, gput__door_token(&p->door));
    return n < 0 ? NULL : url;
}

static int begin(struct gput_page *p, const struct gput_page_options *o, struct gput_error *err)
{
    char why[200];
    int r = gput__door_open(&p->door, err);

    if (r < 0)
        return r;
    p->plan.listen_fd =
        gput__http_listen(o->listen && *o->listen ? o->listen : USUAL_ADDRESS, why, sizeof(why));
    if (p->plan.listen_fd < 0)
        return gput__refuse(err, p->plan.listen_fd, "serve", "%s", why);
    p->plan.door = &p->door;
    p->plan.no_redact = o->no_redact;
    p->on = o->on;
    p->url = make_url(p);
    return p->url ? 0 : -ENOMEM;
}

static int new_page(const struct gput_page_options *from, struct gput_page **ret,
                    struct gput_error *err)
{
    struct gput_page_options o = { 0 };
    struct gput_page *p = calloc(1, sizeof(*p));

    *err = (struct gput_error){ .field = "" };
    if (!p)
        return gput__refuse(err, -ENOMEM, "", "out of memory");
    memcpy(&o, from, from->size < sizeof(o) ? from->size : sizeof(o));
    p->plan.listen_fd = p->plan.control = -1;
    gput__beside_init(&p->beside);
    *ret = p;
    return begin(p, &o, err);
}

/* --- beside a tracker ------------------------------------------------------------------------ */

static void run(void *ctx, int fd)
{
    struct gput_page *p = ctx;

    p->plan.control = fd;
    p->plan.viewer = gput__viewer_beside(p->tracker->watch.viewers, p->pid);
    p->plan.linger_ns = LINGER_NS;
    if (!p->plan.viewer || gput__page_serve(&p->plan) < 0)
        _exit(1);
    gput__beside_tell(fd, GPUT__BESIDE_DONE, NULL);
    _exit(0);
}

static int launch(struct gput_page *p, struct gput_tracker *t, struct gput_error *err)
{
    const struct gput__beside_plan plan = {
        .name = NAME, .run = run, .ctx = p, .keep_fd = p->plan.listen_fd
    };
    int r = gput__watched_serve(t);

    p->tracker = t;
    p->pid = getpid();
    r = r < 0 ? r : gput__beside_start(&p->beside, &plan);
    if (r < 0)
        return gput__refuse(err, r, "", "the live page cannot be started: %s", strerror(-r));
    close(p->plan.listen_fd); /* its own by now */
    p->plan.listen_fd = -1;
    return 0;
}

int gput_page_start(const struct gput_page_options *o, struct gput_tracker *t,
                    struct gput_page **ret, struct gput_error *ret_err)
{
    struct gput_error unused, *err = ret_err ? ret_err : &unused;
    struct gput_page *p = NULL;
    int r = new_page(o, &p, err);

    r = r < 0 ? r : launch(p, t, err);
    if (r == 0)
        *ret = p;
    else
        gput_page_close(p);
    return r;
}

void gput_page_end(struct gput_page *p, const char *html)
{
    if (p->has_ended)
        return;
    p->has_ended = true;
    if (html)
        gput__beside_send(&p->beside, GPUT__PAGE_REPORT, html);
    gput__beside_send(&p->beside, GPUT__BESIDE_END, NULL);
}

/* --- by itself ------------------------------------------------------------------------------- */

static int take_what_is_shown(struct gput_page *p, const struct gput_page_options *o,
                              struct gput_error *err)
{
    p->plan.linger_ns = LONG_LINGER_NS;
    if (o->html) {
        p->report = strdup(o->html);
        p->plan.report = p->report;
        return p->report ? 0 : -ENOMEM;
    }
    return gput_viewer_open(o->tracker, &p->plan.viewer, err);
}

int gput_page_open(const struct gput_page_options *o, struct gput_page **ret,
                   struct gput_error *ret_err)
{
    struct gput_error unused, *err = ret_err ? ret_err : &unused;
    struct gput_page *p = NULL;
    int r = new_page(o, &p, err);

    r = r < 0 ? r : take_what_is_shown(p, o, err);
    if (r == 0)
        *ret = p;
    else
        gput_page_close(p);
    return r;
}

int gput_page_run(struct gput_page *p)
{
    int r = gput__page_serve(&p->plan);

    p->plan.listen_fd = -1; /* they were the server's */
    p->plan.viewer = NULL;
    return r;
}

const char *gput_page_url(const struct gput_page *p)
{
    return p->url;
}

struct gput_page *gput_page_close(struct gput_page *p)
{
    if (!p)
        return NULL;
    if (p->beside.pid) {
        gput_page_end(p, NULL);
        gput__beside_await(&p->beside, END_PATIENCE_NS,
                           "the live page did not end in time: a viewer may lack its end", &p->on);
    }
    gput__beside_close(&p->beside);
    gput_viewer_close(p->plan.viewer);
    if (p->plan.listen_fd >= 0)
        close(p->plan.listen_fd);
    gput__door_close(&p->door);
    free(p->report);
    free(p->url);
    free(p);
    return NULL;
}
