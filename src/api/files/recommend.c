/* recommend.c - what to ask for next time, from the files of runs. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/recommend.h"
#include "api/files/fleet.h"
#include "api/files/recommend.h"
#include "base/text/text.h"
#include "report/limits/verdict.h"
#include "report/recommend.h"
#include "store/files/table.h"
#include "store/runs/run_file.h"

int gput_demand_read(const char *file, const struct gput_callbacks *on, struct gput_demand *ret,
                     struct gput_error *ret_err)
{
    struct gput_error unused, *err = ret_err ? ret_err : &unused;
    struct gput__run run;
    int r = gput__run_read(file, on, &run, err);

    if (r < 0)
        return r;
    gput__demand_of_run(&run, ret);
    gput__run_free(&run);
    return 0;
}

const char *gput_recommend_target(unsigned i)
{
    for (unsigned k = 0; gput__recommend_targets[k].name; k++)
        if (k == i)
            return gput__recommend_targets[k].name;
    return NULL;
}

/* Of which job a run is; NULL: not known. */
struct job {
    char *name, *command;
};

/* What the runs are read into. */
struct reading {
    struct job *jobs;
    struct gput_demand *runs;
    struct gput__bottleneck_list *found;
    char **kinds, **names;
    const char *const *files;
    size_t n;
};

static int read_run(struct reading *rd, size_t i, const struct gput_callbacks *on,
                    struct gput_error *err)
{
    struct gput__run run;
    int r = gput__run_read(rd->files[i], on, &run, err);

    if (r < 0)
        return r;
    gput__demand_of_run(&run, &rd->runs[i]);
    rd->found[i].n = gput_bottlenecks(&run.usage, rd->found[i].list);
    (void)gput__was_crowded(&run.usage, &rd->found[i].crowd_waited, &rd->found[i].crowd_cores);
    rd->kinds[i] = run.kind;
    run.kind = NULL;
    if (run.usage.run.job_name)
        rd->jobs[i].name = gput_text_plain(strdup(run.usage.run.job_name));
    if (run.usage.job.command)
        rd->jobs[i].command = gput_text_plain(strdup(run.usage.job.command));
    gput__run_free(&run);
    /* In text that is pasted a newline must not end a comment. */
    rd->names[i] = gput_text_plain(strdup(rd->files[i]));
    if (!rd->names[i])
        return -ENOMEM;
    if (!gput__demand_is_known(&rd->runs[i]))
        return gput__file_fail(-ENODATA, rd->files[i], err,
                               "there is no record in it, and so no figure to go by");
    return 0;
}

/* The program of a command line: its first word. */
static size_t program_of(const char *command)
{
    return strcspn(command, " ");
}

static bool is_another_job(const struct job *a, const struct job *b)
{
    if (a->name && b->name)
        return strcmp(a->name, b->name) != 0;
    return a->command && b->command &&
           (program_of(a->command) != program_of(b->command) ||
            strncmp(a->command, b->command, program_of(a->command)) != 0);
}

/* One request for several jobs is rarely meant. */
static void warn_of_other_jobs(const struct reading *rd, const struct gput_callbacks *on)
{
    char line[700];

    for (size_t i = 1; i < rd->n && on && on->warn; i++) {
        const struct job *a = &rd->jobs[0], *b = &rd->jobs[i];
        bool by_name = a->name && b->name;

        if (!is_another_job(a, b))
            continue;
        snprintf(
            line, sizeof(line),
            "%.150s and %.150s are runs of different jobs ('%.100s', '%.100s'): one request is "
            "made for both",
            rd->names[0], rd->names[i], by_name ? a->name : a->command,
            by_name ? b->name : b->command);
        on->warn(on->ctx, line);
        return;
    }
}

static int read_runs(struct reading *rd, const struct gput_callbacks *on, struct gput_error *err)
{
    int r = 0;

    rd->runs = calloc(rd->n, sizeof(*rd->runs));
    rd->found = calloc(rd->n, sizeof(*rd->found));
    rd->kinds = calloc(rd->n, sizeof(*rd->kinds));
    rd->names = calloc(rd->n, sizeof(*rd->names));
    rd->jobs = calloc(rd->n, sizeof(*rd->jobs));
    if (!rd->runs || !rd->found || !rd->kinds || !rd->names || !rd->jobs)
        return -ENOMEM;
    for (size_t i = 0; r == 0 && i < rd->n; i++)
        r = read_run(rd, i, on, err);
    if (r == 0)
        warn_of_other_jobs(rd, on);
    return r;
}

static void free_reading(struct reading *rd)
{
    for (size_t i = 0; rd->kinds && rd->names && i < rd->n; i++) {
        free(rd->kinds[i]);
        free(rd->names[i]);
    }
    for (size_t i = 0; rd->jobs && i < rd->n; i++) {
        free(rd->jobs[i].name);
        free(rd->jobs[i].command);
    }
    free(rd->jobs);
    free(rd->kinds);
    free(rd->names);
    free(rd->runs);
    free(rd->found);
}

static int refuse(struct gput_error *err, const char *field, const char *format, const char *value)
{
    *err = (struct gput_error){ .field = "" };
    snprintf(err->field, sizeof(err->field), "%s", field);
    snprintf(err->text, sizeof(err->text), format, value);
    return -EINVAL;
}

static int find_target(const char *name, const struct gput__recommend_target **ret,
                       struct gput_error *err)
{
    char list[200] = "";

    *ret = NULL;
    for (const struct gput__recommend_target *t = gput__recommend_targets; name && t->name; t++) {
        size_t used = strlen(list);

        if (strcmp(t->name, name) == 0)
            *ret = t;
        snprintf(list + used, sizeof(list) - used, "%s%s", used ? ", " : "", t->name);
    }
    return name && !*ret ? refuse(err, "target", "it is one of: %s", list) : 0;
}

int gput__recommend_options(const struct gput_recommend_options *opts,
                            struct gput_recommend_options *ret,
                            const struct gput__recommend_target **ret_target,
                            struct gput_error *err)
{
    struct gput_recommend_options o = GPUT_RECOMMEND_OPTIONS_INIT;

    if (opts)
        memcpy(&o, opts, opts->size < sizeof(o) ? opts->size : sizeof(o));
    if (!(o.margin >= 0 && o.margin <= 10))
        return refuse(err, "margin", "%s", "it is from 0 to 10");
    *ret = o;
    return find_target(o.target, ret_target, err);
}

int gput__recommend_write(struct gput__recommendation *rec, const struct gput_recommend_options *o,
                          const struct gput__recommend_target *target, char **ret_text)
{
    struct gput__buf out = GPUT__BUF_INIT;

    rec->margin = o->margin;
    gput__demand_combine(rec->runs, rec->n, &rec->all);
    gput_recommend_margin(rec->runs, rec->n, rec->margin, &rec->ask);
    if (target)
        gput__recommend_lines(rec, target, &out);
    else if (o->format == GPUT_JSON)
        gput__recommend_json(rec, &out);
    else
        gput__recommend_text(rec, &out);
    return gput__buf_detach(&out, ret_text);
}

static int format(const struct reading *rd, const struct gput_recommend_options *o,
                  const struct gput__recommend_target *target, char **ret_text)
{
    struct gput__recommendation rec = { .runs = rd->runs,
                                        .files = rd->files,
                                        .names = (const char *const *)rd->names,
                                        .kinds = (const char *const *)rd->kinds,
                                        .found = rd->found,
                                        .n = rd->n };

    return gput__recommend_write(&rec, o, target, ret_text);
}

int gput_recommend_files(const char *const *files, size_t n,
                         const struct gput_recommend_options *opts, const struct gput_callbacks *on,
                         char **ret_text, struct gput_error *ret_err)
{
    struct gput_recommend_options o;
    const struct gput__recommend_target *target;
    struct gput_error unused, *err = ret_err ? ret_err : &unused;
    struct reading rd = { .files = files, .n = n };
    int r;

    if (n == 0)
        return refuse(err, "files", "%s", "there is no file");
    r = gput__recommend_options(opts, &o, &target, err);
    if (r < 0)
        return r;
    if (gput_fleet_is(files[0]))
        return gput__fleet_recommend_files(files, n, target, &o, ret_text, err);
    r = read_runs(&rd, on, err);
    r = r < 0 ? r : format(&rd, &o, target, ret_text);
    if (r == -ENOMEM)
        refuse(err, "", "%s", strerror(ENOMEM));
    free_reading(&rd);
    return r;
}
