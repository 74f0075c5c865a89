/* run_comparison.c - runs side by side, from files or from trackers. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/files/comparison.h"
#include "api/files/run_files.h"
#include "base/grow.h"
#include "report/html/html_comparison.h"
#include "report/run_comparison.h"
#include "store/files/table.h"

int gput_comparison_open(struct gput_comparison **ret_c)
{
    struct gput_comparison *c = calloc(1, sizeof(*c));

    if (!c)
        return -ENOMEM;
    gput__run_comparison_begin(&c->runs);
    *ret_c = c;
    return 0;
}

struct gput_comparison *gput_comparison_close(struct gput_comparison *c)
{
    for (size_t i = 0; c && i < c->n_drawn; i++) {
        gput__run_free(&c->drawn[i].run);
        free(c->drawn[i].group);
    }
    if (c) {
        gput__run_comparison_free(&c->runs);
        free(c->drawn);
    }
    free(c);
    return NULL;
}

int gput_comparison_fail_if(struct gput_comparison *c, const char *condition,
                            struct gput_error *ret_err)
{
    struct gput_error unused, *err = ret_err ? ret_err : &unused;

    *err = (struct gput_error){ .field = "" };
    if (c->runs.n_groups > 0) {
        snprintf(err->text, sizeof(err->text), "conditions come before the runs");
        return -EINVAL;
    }
    return gput__run_comparison_condition(&c->runs, condition, err);
}

int gput_comparison_add(struct gput_comparison *c, const char *group, const char *source,
                        const struct gput_usage *u)
{
    struct gput_usage usage = { .size = sizeof(usage) };

    memcpy(&usage, u, u->size < sizeof(usage) ? u->size : sizeof(usage));
    return gput__run_comparison_add(&c->runs, group, source, &usage);
}

static const struct gput__run *drawn_run(const struct gput_comparison *c, const char *group)
{
    for (size_t i = 0; i < c->n_drawn; i++)
        if (strcmp(c->drawn[i].group, group) == 0)
            return &c->drawn[i].run;
    return NULL;
}

/* The run becomes the comparison's, if it is to be drawn; else it is freed. */
static int keep_run(struct gput_comparison *c, const char *group, struct gput__run *run)
{
    char *name;

    if (run->series.n < 2 || drawn_run(c, group)) {
        gput__run_free(run);
        return 0;
    }
    name = strdup(group);
    if (!name || GPUT__GROW(c->drawn, c->cap_drawn, c->n_drawn + 1) < 0) {
        free(name);
        gput__run_free(run);
        return -ENOMEM;
    }
    c->drawn[c->n_drawn++] = (struct gput__drawn_run){ name, *run };
    return 0;
}

static int add_fleet(struct gput_comparison *c, const char *group, const char *source,
                     const char *file)
{
    struct gput__fleet_totals_usage fleet;
    int r = gput__fleet_totals_read(file, &fleet);

    if (r < 0)
        return r;
    fleet.usage.gpu.gpus = &fleet.gpu;
    fleet.usage.gpu.n_gpus = 1;
    return gput__run_comparison_add(&c->runs, group, source, &fleet.usage);
}

static int add_fleet_or_say(struct gput_comparison *c, const char *group, const char *source,
                            const char *file, struct gput_error *err)
{
    int r = add_fleet(c, group, source, file);

    if (r == 0)
        return 0;
    return gput__file_fail(r, file, err, "%s",
                           r == -EBADMSG ? "there are not the node files of one job, and of one "
                                           "step, in it: name the folder of the step"
                                         : strerror(-r));
}

int gput_comparison_add_file(struct gput_comparison *c, const char *group, const char *source,
                             const char *file, const char *result_file,
                             const struct gput_callbacks *on, struct gput_error *ret_err)
{
    struct gput_error unused, *err = ret_err ? ret_err : &unused;
    struct gput__run run;
    int r;

    if (!result_file && gput_fleet_is(file))
        return add_fleet_or_say(c, group, source, file, err);
    r = gput__run_files_read(file, result_file, on, &run, err);
    if (r == -EBADMSG && !result_file && add_fleet(c, group, source, file) == 0)
        return 0;
    if (r < 0)
        return r;
    r = gput__run_comparison_add(&c->runs, group, source, &run.usage);
    if (r == 0)
        r = keep_run(c, group, &run);
    else
        gput__run_free(&run);
    return r < 0 ? gput__file_fail(r, file, err, "%s", strerror(-r)) : 0;
}

static int write_page(const struct gput_comparison *c, struct gput__buf *out)
{
    const struct gput__run **runs = calloc(c->runs.n_groups + 1, sizeof(struct gput__run *));
    int r;

    if (!runs)
        return -ENOMEM;
    for (size_t g = 0; g < c->runs.n_groups; g++)
        runs[g] = drawn_run(c, c->runs.groups[g].name);
    r = gput__html_comparison(&c->runs, runs, out);
    free(runs);
    return r;
}

int gput_comparison_format(const struct gput_comparison *c, enum gput_comparison_format format,
                           char **ret_text)
{
    struct gput__buf out = GPUT__BUF_INIT;
    int r = 0;

    switch (format) {
    case GPUT_COMPARISON_TEXT:
        gput__run_comparison_text(&c->runs, &out);
        break;
    case GPUT_COMPARISON_JSON:
        gput__run_comparison_json(&c->runs, &out);
        break;
    case GPUT_COMPARISON_MARKDOWN:
        gput__run_comparison_markdown(&c->runs, &out);
        break;
    case GPUT_COMPARISON_HTML:
        r = write_page(c, &out);
        break;
    default:
        return -EINVAL;
    }
    if (r < 0) {
        gput__buf_free(&out);
        return r;
    }
    return gput__buf_detach(&out, ret_text);
}

int gput_comparison_failed(const struct gput_comparison *c,
                           void (*say)(void *ctx, const char *line), void *ctx)
{
    struct gput__buf line = GPUT__BUF_INIT;
    int n = 0;

    for (size_t g = 1; g < c->runs.n_groups; g++)
        for (int i = 0; i < c->runs.n_conditions; i++) {
            if (!gput__run_comparison_fails(&c->runs, g, i))
                continue;
            n++;
            gput__buf_clear(&line);
            gput__compared_condition(&c->runs, g, i, &line);
            if (say)
                say(ctx, gput__buf_text(&line));
        }
    gput__buf_free(&line);
    return n;
}

int gput_comparison_worse(const struct gput_comparison *c, void (*say)(void *ctx, const char *line),
                          void *ctx)
{
    struct gput__buf line = GPUT__BUF_INIT;
    int n = 0;

    for (size_t g = 1; g < c->runs.n_groups; g++)
        for (int i = 0; i < c->runs.n_figures; i++) {
            struct gput__difference d;

            gput__run_difference(&c->runs, g, i, &d);
            if (d.verdict != GPUT__WORSE || !gput__compared_is_shown(&c->runs, i))
                continue;
            n++;
            gput__buf_clear(&line);
            gput__compared_difference(&c->runs.figures[i], &d, &line);
            if (say)
                say(ctx, gput__buf_text(&line));
        }
    gput__buf_free(&line);
    return n;
}
