/* exporter.c - the tracker's end of an exporter: starts it, hands figures over, waits for its end. */
#include "api/export/exporter.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "api/export/receivers.h"
#include "api/tracker.h"
#include "base/clock.h"
#include "export/head.h"
#include "net/http_server.h"
#include "store/files/unsafe_path.h"

#define NAME "gput-exporter"
#define USUAL_OTLP_INTERVAL 60.0
#define LEAST_INTERVAL_NS (GPUT__NS_PER_S)
#define EXTRA_NS (GPUT__NS_PER_S / 5)

struct gput_exporter {
    struct gput__export_plan plan;
    struct gput_export_options format;
    struct gput_callbacks on;
    char *metrics_file, *labels, *listen_token, *push_url, *push_token, *otlp_url, *otlp_headers;
    char address[80];
    struct gput__beside beside;
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

static void run(void *plan, int fd)
{
    gput__exporter_process(plan, fd);
}

static int launch(struct gput_exporter *e, struct gput_error *err)
{
    const struct gput__beside_plan plan = {
        .name = NAME, .run = run, .ctx = &e->plan, .keep_fd = e->plan.listen_fd
    };
    int r = gput__beside_start(&e->beside, &plan);

    if (r < 0)
        return gput__refuse(err, r, "", "the exporter cannot be started: %s", strerror(-r));
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
    gput__beside_init(&e->beside);
    e->plan.listen_fd = -1;
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

static void send_text(struct gput_exporter *e, const struct gput_tracker *t,
                      enum gput_export_format format, enum gput__export_message kind)
{
    char *text = NULL;

    e->format.format = format;
    if (gput_tracker_export(t, &e->format, &text) < 0)
        return;
    gput__beside_send(&e->beside, kind, text);
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
    gput__beside_send(&e->beside, GPUT__BESIDE_END, NULL);
    e->has_ended = true;
}

/* --- the end --------------------------------------------------------------------------------- */

struct gput_exporter *gput_exporter_close(struct gput_exporter *e)
{
    char *texts[7];

    if (!e)
        return NULL;
    if (e->beside.pid && !e->has_ended) /* nothing was measured */
        gput__beside_send(&e->beside, GPUT__BESIDE_END, NULL);
    if (e->beside.pid)
        gput__beside_await(&e->beside, (int64_t)(GPUT__EXPORT_END_PATIENCE * 1e9) + EXTRA_NS,
                           "the exporter did not end in time; what it had to send may be lost",
                           &e->on);
    gput__beside_close(&e->beside);
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
