/* report.c - the report of a finished run behind gput.h. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/analysis.h"
#include "model/unit.h"
#include "report/html.h"
#include "store/run_file.h"
#include "store/warnings.h"

/* Everything that a report is made of. */
struct material {
    struct gput_report_options o;
    struct gput__run run;
    struct gput_analysis *blocks;
    const char *tracking_file; /* where the series is from, if that is a tracking file */
};

static bool is_tracking_file(const struct gput__run *run)
{
    return run->kind && !strcmp(run->kind, "tracking file");
}

static void take_text(char **to, char **from)
{
    if (*to)
        return;
    *to = *from;
    *from = NULL;
}

/* A result says more of the figures, a tracking file of how they moved. */
static void take_series(struct gput__run *run, struct gput__run *from)
{
    run->series = from->series;
    from->series = (struct gput__run_series){ 0 };
    run->n_records = from->n_records;
    run->interval = from->interval;
    run->start = isnan(run->start) ? from->start : run->start;
    run->end = isnan(run->end) ? from->end : run->end;
    take_text(&run->host, &from->host);
    take_text(&run->os, &from->os);
    take_text(&run->cpu_model, &from->cpu_model);
    take_text(&run->cloud_vendor, &from->cloud_vendor);
    take_text(&run->instance_type, &from->instance_type);
    take_text(&run->region, &from->region);
}

/* Records of one run lie within its time, but for one interval before and behind it. */
static void warn_of_another_run(const struct material *m, const struct gput_callbacks *on)
{
    const struct gput__run_series *s = &m->run.series;
    struct gput_figure time = m->run.usage.compute_time.time;
    double slack = 2 * fmax(m->run.interval, 1);
    char line[600];

    if (s->n < 2 || time.source == GPUT_UNAVAILABLE || !on->warn ||
        s->time[s->n - 1] - s->time[0] <= time.value + slack)
        return;
    snprintf(line, sizeof(line),
             "%.200s and %.200s: the records span more time than the run took: are they of one run?",
             m->o.file, m->o.result_file);
    on->warn(on->ctx, line);
}

static int read_result(struct material *m, const struct gput_callbacks *on, struct gput_error *err)
{
    struct gput__run result;
    int r = gput__run_read(m->o.result_file, on, &result, err);

    if (r < 0)
        return r;
    if (is_tracking_file(&result)) { /* they may come in either order */
        struct gput__run first = m->run;

        m->tracking_file = m->o.result_file;
        m->run = result;
        result = first;
    }
    if (result.series.n == 0)
        take_series(&result, &m->run);
    gput__run_free(&m->run);
    m->run = result;
    warn_of_another_run(m, on);
    return 0;
}

static int read_material(struct material *m, const struct gput_callbacks *on,
                         struct gput_error *err)
{
    int r = gput__run_read(m->o.file, on, &m->run, err);

    if (r < 0)
        return r;
    m->tracking_file = is_tracking_file(&m->run) ? m->o.file : NULL;
    if (m->o.result_file)
        r = read_result(m, on, err);
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
    struct gput__buf out = { 0 };

    if (m->blocks) {
        page.blocks = gput_analysis_blocks(m->blocks, &page.n_blocks);
        page.ram_unit = unit_size(gput_analysis_ram_unit(m->blocks));
        page.gpu_ram_unit = unit_size(gput_analysis_gpu_ram_unit(m->blocks));
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
    if (m.o.file)
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
