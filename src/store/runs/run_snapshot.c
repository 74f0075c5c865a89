/* run_snapshot.c - a run from a snapshot of the Python package resource_tracker.
 *
 * Its two lists of rows, of the process and of the system, are read row by row: they may be long. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text/json_leaves.h"
#include "base/text/text.h"
#include "store/runs/run_reading.h"
#include "store/runs/run_usage.h"
#include "store/runs/stream_columns.h"

#define MIB 1048576.0
#define WHY "from a snapshot"

/* One of the lists. */
struct rows {
    const char *name;
    enum gput_stream stream;
    struct gput__run_series_builder b;
    bool is_newer;
    /* The columns in the order of the row before, which the next row has too: */
    struct {
        char name[32];
        struct gput__stream_target target; /* without a name: it is left out */
    } known[64];
    unsigned n_known;
};

struct snapshot {
    struct gput__run_reading *rd;
    struct gput__json_pull *p;
    struct gput__json_leaves leaves; /* metadata, server_info, cloud_info */
    struct rows process, system;
};

static int fail(struct snapshot *s, int r)
{
    return gput__run_fail_json(s->rd, s->p, r);
}

static int refuse(struct snapshot *s, const char *name, const char *what)
{
    char shown[80];

    gput__text_shown(name, strlen(name), shown, sizeof(shown));
    return gput__file_fail(-EBADMSG, s->rd->path, s->rd->ret_err, "line %llu: %s: %s",
                           (unsigned long long)s->p->line, shown, what);
}

/* Member i of a row, by its name. */
static struct gput__stream_target find(struct rows *rows, unsigned i, const char *name)
{
    struct gput__stream_target target = { 0 };

    if (i < rows->n_known && strcmp(rows->known[i].name, name) == 0)
        return rows->known[i].target;
    (void)gput__stream_target(rows->stream, name, &target);
    if (i < sizeof(rows->known) / sizeof(*rows->known) && i <= rows->n_known &&
        strlen(name) < sizeof(rows->known[i].name)) {
        strcpy(rows->known[i].name, name);
        rows->known[i].target = target;
        rows->n_known = i + 1;
    }
    return target;
}

/* A value of a row that has been begun. */
static int store_value(struct rows *rows, const struct gput__stream_target *target, double value)
{
    if (gput__run_series_use(&rows->b, target->metric) < 0)
        return -ENOMEM;
    rows->is_newer |= target->is_newer;
    gput__run_series_set(&rows->b, target->metric, value * target->factor);
    return 0;
}

/* One member: its name is in p->text. */
static int read_member(struct snapshot *s, struct rows *rows, unsigned i, bool *has_time)
{
    const char *name = gput__buf_text(&s->p->text);
    struct gput__stream_target target = find(rows, i, name);
    bool is_time = !target.name && strcmp(name, "timestamp") == 0;
    int token = gput__json_pull_next(s->p);

    if (token < 0)
        return fail(s, token);
    if (token == GPUT__JSON_NUMBER && is_time) {
        *has_time = true;
        rows->b.s.time[rows->b.s.n - 1] = s->p->number;
        return 0;
    }
    if (token == GPUT__JSON_NUMBER && target.name)
        return store_value(rows, &target, s->p->number) < 0 ? fail(s, -ENOMEM) : 0;
    if (is_time || (target.name && token != GPUT__JSON_NULL))
        return refuse(s, is_time ? "timestamp" : target.name, "this is not a number");
    token = gput__json_pull_skip(s->p, token);
    return token < 0 ? fail(s, token) : 0;
}

static int read_row(struct snapshot *s, struct rows *rows)
{
    bool has_time = false;
    int token;

    if (gput__run_series_add(&rows->b, 0) < 0)
        return fail(s, -ENOMEM);
    for (unsigned i = 0; (token = gput__json_pull_next(s->p)) == GPUT__JSON_KEY; i++) {
        int r = read_member(s, rows, i, &has_time);

        if (r < 0)
            return r;
    }
    if (token < 0)
        return fail(s, token);
    return has_time ? 0 : refuse(s, rows->name, "a row has no timestamp");
}

static int read_rows(struct snapshot *s, struct rows *rows, int token)
{
    if (token == GPUT__JSON_NULL)
        return 0;
    if (token != GPUT__JSON_OPEN_LIST)
        return refuse(s, rows->name, "this is not a list of rows");
    while ((token = gput__json_pull_next(s->p)) == GPUT__JSON_OPEN) {
        int r = read_row(s, rows);

        if (r < 0)
            return r;
    }
    if (token < 0)
        return fail(s, token);
    return token == GPUT__JSON_CLOSE_LIST ? 0 : refuse(s, rows->name, "this is not a row");
}

static bool is_told(const char *name)
{
    return strcmp(name, "metadata") == 0 || strcmp(name, "server_info") == 0 ||
           strcmp(name, "cloud_info") == 0;
}

/* The value of a member of the outermost object. */
static int read_part(struct snapshot *s, const char *name)
{
    int token = gput__json_pull_next(s->p), r;

    if (token < 0)
        return fail(s, token);
    if (strcmp(name, s->process.name) == 0)
        return read_rows(s, &s->process, token);
    if (strcmp(name, s->system.name) == 0)
        return read_rows(s, &s->system, token);
    r = is_told(name) ? gput__json_leaves_add(&s->leaves, s->p, token, name)
                      : gput__json_pull_skip(s->p, token);
    return r < 0 ? fail(s, r) : 0;
}

static int read_parts(struct snapshot *s, const char *first)
{
    char name[64];
    int token;

    snprintf(name, sizeof(name), "%s", first);
    do {
        int r = read_part(s, name);

        if (r < 0)
            return r;
        token = gput__json_pull_next(s->p);
        snprintf(name, sizeof(name), "%.63s", gput__buf_text(&s->p->text));
    } while (token == GPUT__JSON_KEY);
    token = token < 0 ? token : gput__json_pull_next(s->p);
    return token < 0 ? fail(s, token) : 0;
}

static double number_at(const struct snapshot *s, const char *path)
{
    const struct gput__json_leaf *leaf = gput__json_leaf(&s->leaves, path);

    return leaf && leaf->kind == GPUT__JSON_NUMBER ? leaf->number : NAN;
}

static void set(struct gput_figure *f, double value)
{
    if (isfinite(value))
        *f = (struct gput_figure){ .value = value, .source = GPUT_SAMPLED, .why = WHY };
}

/* NULL also where the snapshot says that it does not know. */
static const char *text_at(const struct snapshot *s, const char *path)
{
    const struct gput__json_leaf *leaf = gput__json_leaf(&s->leaves, path);
    bool is_text = leaf && leaf->kind == GPUT__JSON_STRING && *leaf->text;

    return is_text && strcmp(leaf->text, "unknown") != 0 ? leaf->text : NULL;
}

static void read_machine(struct snapshot *s)
{
    struct gput_usage *u = &s->rd->run->usage;

    set(&u->cpu_utilization.system_core_count, number_at(s, "server_info.vcpus"));
    set(&u->cpu_utilization.n_expected_cores, number_at(s, "server_info.vcpus"));
    set(&u->max_ram.system_capacity, number_at(s, "server_info.memory_mib") * MIB);
    set(&u->max_ram.system_capacity, number_at(s, "server_info.memory_mb") * MIB);
    set(&u->gpu_utilization.system_gpu_count, number_at(s, "server_info.gpu_count"));
    set(&u->gpu_utilization.n_expected_gpus, number_at(s, "server_info.gpu_count"));
    u->limits.cores_host = u->cpu_utilization.system_core_count;
    u->limits.memory_host = u->max_ram.system_capacity;
    if (number_at(s, "server_info.gpu_count") > 0) {
        set(&u->max_gpu_ram.system_capacity, number_at(s, "server_info.gpu_memory_mib") * MIB);
        set(&u->max_gpu_ram.system_capacity, number_at(s, "server_info.gpu_memory_mb") * MIB);
    }
}

/* Ours tell what their rows do not: peaks between two of them, and the time from start to stop. */
static void read_aggregates(struct snapshot *s)
{
    struct gput_usage *u = &s->rd->run->usage;
    const struct gput__json_leaf *children = gput__json_leaf(&s->leaves, "metadata.children");

    set(&u->compute_time.time, number_at(s, "metadata.resource_tracker.aggregates.duration"));
    if (children && children->kind == GPUT__JSON_TRUE)
        set(&u->max_ram.combined.total_rss,
            number_at(s, "metadata.resource_tracker.aggregates.peak_memory_bytes"));
}

static int read_texts(struct snapshot *s)
{
    struct gput__run *run = s->rd->run;
    const struct {
        char **to;
        const char *text;
    } texts[] = {
        { &run->kind, "snapshot" },
        { &run->host, text_at(s, "server_info.hostname") },
        { &run->os, text_at(s, "server_info.os") },
        { &run->cpu_model, text_at(s, "server_info.cpu_model") },
        { &run->cloud_vendor, text_at(s, "cloud_info.vendor") },
        { &run->instance_type, text_at(s, "cloud_info.instance_type") },
        { &run->region, text_at(s, "cloud_info.region") },
    };

    for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
        if (!gput__run_text(texts[i].to, texts[i].text))
            return fail(s, -ENOMEM);
    return 0;
}

/* Names are all that a snapshot has of each GPU. */
static int read_gpus(struct snapshot *s)
{
    struct gput__run_series *series = &s->rd->run->series;
    char path[48];
    double n = number_at(s, "server_info.gpu_count");

    if (!(n > 0 && n <= 1024))
        return 0;
    series->gpus = calloc((size_t)n, sizeof(*series->gpus));
    if (!series->gpus)
        return fail(s, -ENOMEM);
    for (; series->n_gpus < (size_t)n; series->n_gpus++) {
        snprintf(path, sizeof(path), "server_info.gpu_names.%zu", series->n_gpus);
        if (!gput__run_text(&series->gpus[series->n_gpus].name, text_at(s, path)))
            return fail(s, -ENOMEM);
    }
    return 0;
}

static void read_times(struct snapshot *s)
{
    struct gput__run *run = s->rd->run;
    double pid = number_at(s, "metadata.pid");

    run->start = number_at(s, "metadata.start_time");
    run->end = number_at(s, "metadata.stop_time");
    run->interval = number_at(s, "metadata.interval");
    if (pid > 0 && pid < INT32_MAX)
        run->usage.job.pid = (pid_t)pid;
}

static void drop_gpu_series(struct gput__run_series *s)
{
    for (int m = 0; m < GPUT__N_METRICS; m++)
        if (gput__metric_is_of_gpus((enum gput__metric)m))
            gput__run_series_drop(s, (enum gput__metric)m);
}

static int finish(struct snapshot *s)
{
    struct gput__run *run = s->rd->run;
    struct gput__run_series of_process, of_system;
    double interval;

    gput__json_leaves_sort(&s->leaves);
    read_times(s);
    gput__run_series_end(&s->process.b, &of_process);
    gput__run_series_end(&s->system.b, &of_system);
    interval =
        isnan(run->interval) ? gput__usual_step(of_process.time, of_process.n) : run->interval;
    gput__stream_convert(&of_process, s->process.is_newer, interval);
    gput__stream_convert(&of_system, s->system.is_newer, interval);
    if (gput__run_series_join(&of_process, &of_system, interval / 2, &run->series) < 0)
        return fail(s, -ENOMEM);
    if (number_at(s, "server_info.gpu_count") == 0) /* the zeros are those of no GPU */
        drop_gpu_series(&run->series);
    read_machine(s);
    read_aggregates(s);
    gput__run_sum_up(run);
    return read_gpus(s) < 0 ? -ENOMEM : read_texts(s);
}

int gput__run_read_snapshot(struct gput__run_reading *rd, struct gput__json_pull *p,
                            const char *first)
{
    struct snapshot s = { .rd = rd,
                          .p = p,
                          .process = { .name = "process_metrics", .stream = GPUT_STREAM_PROCESS },
                          .system = { .name = "system_metrics", .stream = GPUT_STREAM_SYSTEM } };
    int r = read_parts(&s, first);

    r = r < 0 ? r : finish(&s);
    gput__run_series_free(&s.process.b.s);
    gput__run_series_free(&s.system.b.s);
    gput__json_leaves_free(&s.leaves);
    return r;
}
