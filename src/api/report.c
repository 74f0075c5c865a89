/* report.c - the report of a finished run behind gput.h. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/analysis.h"
#include "analysis/recommend.h"
#include "api/run.h"
#include "api/run_files.h"
#include "model/unit.h"
#include "report/html.h"
#include "store/warnings.h"

/* As `gpu-tracker recommend` has it by default. */
#define MARGIN 0.2

/* Everything that a report is made of. */
struct material {
    struct gput_report_options o;
    struct gput__run run;
    struct gput_analysis *blocks;
    const char *tracking_file; /* where the series is from, if that is a tracking file */
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
    for (char *p = names; *p; p++)
        if ((unsigned char)*p < ' ' || *p == 0x7F)
            *p = '?';
    free(m->run.source);
    m->run.source = names;
    return 0;
}

static int read_run(struct material *m, const struct gput_callbacks *on, struct gput_error *err)
{
    int r;

    if (m->o.tracker) {
        r = gput__run_of(m->o.tracker, &m->run);
        return r < 0 ? gput__refuse(err, r, "tracker", "%s", strerror(-r)) : 0;
    }
    r = gput__run_files_read(m->o.file, m->o.result_file, on, &m->run, &m->tracking_file, err);
    return r < 0 ? r : name_sources(m);
}

static int read_material(struct material *m, const struct gput_callbacks *on,
                         struct gput_error *err)
{
    int r = read_run(m, on, err);

    if (r == 0 && m->o.sub_tracking_file)
        r = gput__analysis_make(m->tracking_file, m->o.sub_tracking_file, on, &m->blocks, err);
    return r;
}

static double unit_size(const char *name)
{
    const struct gput__unit *unit = name ? gput__unit_of_memory(name) : NULL;

    return unit ? unit->size : 1;
}

static int write_page(const struct material *m, char **ret_html)
{
    struct gput__html page = { .run = &m->run, .title = m->o.title };
    struct gput__recommendation ask = { .n = 1, .margin = MARGIN };
    struct gput_demand demand;
    struct gput__buf out = { 0 };

    if (m->blocks) {
        page.blocks = gput_analysis_blocks(m->blocks, &page.n_blocks);
        page.ram_unit = unit_size(gput_analysis_ram_unit(m->blocks));
        page.gpu_ram_unit = unit_size(gput_analysis_gpu_ram_unit(m->blocks));
    }
    gput__demand_of_run(&m->run, &demand);
    if (gput__demand_is_known(&demand)) {
        ask.runs = &demand;
        ask.files = ask.names = (const char *const *)&m->run.source;
        ask.kinds = (const char *const *)&m->run.kind;
        ask.all = demand;
        gput_recommend_margin(&demand, 1, ask.margin, &ask.ask);
        page.recommendation = &ask;
    }
    (void)gput__html_write(&page, &out); /* the buffer keeps the error */
    return gput__buf_take(&out, ret_html);
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
        r = write_page(&m, ret_html);
        snprintf(err.text, sizeof(err.text), "%s", strerror(-r));
    }
    gput__warnings_end(&warnings, r == 0);
    gput__analysis_close(m.blocks);
    gput__run_free(&m.run);
    if (r < 0 && ret_err)
        *ret_err = err;
    return r;
}
