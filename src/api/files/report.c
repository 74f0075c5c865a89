/* report.c - the report of a finished run behind gput.h. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/analysis.h"
#include "analysis/recommend.h"
#include "api/files/run.h"
#include "api/files/run_files.h"
#include "api/servers/server_search.h"
#include "base/text/redact.h"
#include "base/text/text.h"
#include "report/fragment/html_fragment.h"
#include "report/html/html.h"
#include "store/files/warnings.h"

/* As `gpu-tracker recommend` has it by default. */
#define MARGIN 0.2

/* Everything that a report is made of. */
struct material {
    struct gput_report_options o;
    struct gput__run run;
    struct gput_analysis *blocks;
    struct gput_demand *demands; /* n_demands of them: 0 where nothing is known */
    const char **names;
    size_t n_demands;
    struct gput__server_search search;
    char *command; /* without secrets */
    char no_server[sizeof(((struct gput_error *)0)->text)];
};

static const char *last_part(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash && slash[1] ? slash + 1 : path;
}

/* "run.csv, result.json", on one line whatever is in it: folders are nobody's business where the
 * page is handed on. */
static int name_sources(struct material *m)
{
    char *names;

    if (asprintf(&names, "%s%s%s", last_part(m->o.file), m->o.result_file ? ", " : "",
                 m->o.result_file ? last_part(m->o.result_file) : "") < 0)
        return -ENOMEM;
    free(m->run.source);
    m->run.source = gput_text_plain(names);
    return 0;
}

static int read_run(struct material *m, const struct gput_callbacks *on, struct gput_error *err)
{
    int r;

    if (m->o.tracker)
        return gput__run_of(m->o.tracker, &m->run, err);
    r = gput__run_files_read(m->o.file, m->o.result_file, on, &m->run, err);
    r = r < 0 ? r : name_sources(m);
    return r == -ENOMEM ? gput__refuse(err, r, "", "%s", strerror(ENOMEM)) : r;
}

static int copy(char **to, const char *from)
{
    free(*to);
    *to = from ? strdup(from) : NULL;
    return from && !*to ? -ENOMEM : 0;
}

/* Who asks may know better where it ran. */
static int use_current(struct material *m)
{
    if (!m->o.current_vendor || !m->o.current_type)
        return 0;
    if (copy(&m->run.cloud_vendor, m->o.current_vendor) < 0 ||
        copy(&m->run.instance_type, m->o.current_type) < 0)
        return -ENOMEM;
    return copy(&m->run.region, m->o.current_region);
}

static int read_material(struct material *m, const struct gput_callbacks *on,
                         struct gput_error *err)
{
    int r = read_run(m, on, err);

    if (r == 0 && m->o.sub_tracking_file)
        r = gput__analysis_of_run(&m->run, m->o.sub_tracking_file, on, &m->blocks, err);
    return r;
}

/* The page may be handed on. */
static int redact(struct material *m)
{
    const char *command = m->run.usage.job.command;

    if (!command || m->o.no_redact)
        return 0;
    m->command = gput__redacted(command);
    m->run.usage.job.command = m->command;
    return m->command ? 0 : -ENOMEM;
}

/* This run, and the others that count as well. */
static int gather_runs(struct material *m)
{
    size_t n = 1 + m->o.n_earlier;

    m->demands = calloc(n, sizeof(*m->demands));
    m->names = calloc(n, sizeof(*m->names));
    if (!m->demands || !m->names)
        return -ENOMEM;
    gput__demand_of_run(&m->run, &m->demands[0]);
    m->names[0] = "this run";
    for (size_t i = 1; i < n; i++) {
        m->demands[i] = m->o.earlier[i - 1];
        m->names[i] = "an earlier run";
    }
    if (gput__demand_is_known(&m->demands[0]))
        m->n_demands = n;
    return 0;
}

/* -ENODATA: there is none, and `err` says why. */
static int find_servers(struct material *m, const struct gput_callbacks *on, struct gput_error *err)
{
    const struct gput_server_filters filters = { .size = sizeof(filters), .arch = "here" };
    const struct gput_recommend_servers_options o = {
        .size = sizeof(o),
        .margin = MARGIN,
        .filters = &filters,
        .catalogue = m->o.catalogue,
        .current_vendor = m->run.cloud_vendor,
        .current_type = m->run.instance_type,
        .current_region = m->run.region,
    };
    int r;

    gput__server_search_begin(&m->search, &o, on);
    r = gput__server_search(&m->search, m->demands, m->n_demands, err);
    m->search.choice.seconds = m->demands[0].duration;
    return r;
}

/* A report without servers is better than none: what is wrong with the catalogue is a warning. */
static void add_servers(struct material *m, const struct gput_callbacks *on,
                        struct gput__html *page)
{
    struct gput_error err = { .text = "" };
    char line[600];
    int r;

    if (m->n_demands == 0)
        return;
    r = find_servers(m, on, &err);
    if (r == 0)
        m->search.choice.origin = last_part(m->search.choice.origin);
    if (r == 0 || r == -ENODATA) {
        snprintf(m->no_server, sizeof(m->no_server), "%s", err.text);
        m->search.choice.why_none = m->no_server;
        gput__server_choice_html(&m->search.choice, page);
    } else if (on->warn) {
        snprintf(line, sizeof(line), "the report has no servers: %s", err.text);
        on->warn(on->ctx, line);
    }
}

static int write_report(struct material *m, const struct gput_callbacks *on, char **ret_html)
{
    struct gput__html page = { .run = &m->run, .title = m->o.title, .has_failed = m->o.has_failed };
    struct gput__recommendation ask = { .margin = MARGIN };
    struct gput__buf out = { 0 };

    if (m->blocks)
        page.blocks = gput_analysis_blocks(m->blocks, &page.n_blocks);
    if (m->n_demands > 0) {
        ask.runs = m->demands;
        ask.names = m->names;
        ask.n = m->n_demands;
        gput__demand_combine(ask.runs, ask.n, &ask.all);
        gput_recommend_margin(ask.runs, ask.n, ask.margin, &ask.ask);
        page.recommendation = &ask;
    }
    if (m->o.is_fragment) {
        (void)gput__html_fragment(&page, &out); /* the buffer keeps the error */
        return gput__buf_detach(&out, ret_html);
    }
    add_servers(m, on, &page);
    (void)gput__html_write(&page, &out); /* likewise */
    return gput__buf_detach(&out, ret_html);
}

static void free_material(struct material *m)
{
    free(m->demands);
    free(m->names);
    gput__server_search_end(&m->search);
    gput__analysis_close(m->blocks);
    gput__run_free(&m->run);
    free(m->command);
}

int gput__report_of_run(struct gput__run *run, int no_redact, char **ret_html)
{
    const struct gput_callbacks nobody = { .warn = NULL };
    struct material m = { .o.no_redact = no_redact, .run = *run };
    int r = redact(&m);

    r = r < 0 ? r : gather_runs(&m);
    r = r < 0 ? r : write_report(&m, &nobody, ret_html);
    m.run = (struct gput__run){ .host = NULL }; /* it stays the caller's */
    free_material(&m);
    return r;
}

int gput_report_html(const struct gput_report_options *o, char **ret_html,
                     struct gput_error *ret_err)
{
    struct gput_error err = { .text = "there is no file to report on", .field = "file" };
    struct gput__warnings warnings;
    struct material m = { 0 };
    int r = -EINVAL;

    memcpy(&m.o, o, o->size < sizeof(m.o) ? o->size : sizeof(m.o));
    gput__warnings_begin(&warnings, &m.o.on);
    if (m.o.file || m.o.tracker)
        r = read_material(&m, &warnings.on, &err);
    if (r == 0) {
        r = use_current(&m);
        r = r < 0 ? r : redact(&m);
        r = r < 0 ? r : gather_runs(&m);
        r = r < 0 ? r : write_report(&m, &warnings.on, ret_html);
        snprintf(err.text, sizeof(err.text), "%s", strerror(-r));
    }
    gput__warnings_end(&warnings, r == 0);
    free_material(&m);
    if (r < 0 && ret_err)
        *ret_err = err;
    return r;
}
