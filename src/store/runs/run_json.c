/* run_json.c - a run from the JSON of its result, `gpu-tracker -f json`, with or without --full. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/text/iso_time.h"
#include "base/text/json_leaves.h"
#include "model/levels.h"
#include "model/unit.h"
#include "model/usage_rows.h"
#include "store/runs/run_reading.h"

#define WHY_NOT_TOLD "the result does not say how it is known (--full does)"
/* Seconds; no run takes so long. */
#define IMPOSSIBLE 1e15
#define WHY_NO_GPU "no GPU was found"

struct reading {
    struct gput__run_reading *rd;
    struct gput__json_leaves leaves;
    bool is_full;   /* it tells where each figure comes from */
    size_t n_texts; /* in the run's list: one of each leaf, the four lists and two of pairs */
};

static int refuse(const struct reading *r, const struct gput__json_leaf *leaf, const char *what)
{
    return gput__file_fail(-EBADMSG, r->rd->path, r->rd->ret_err, "line %llu: %.200s: %s",
                           (unsigned long long)leaf->line, leaf->path, what);
}

static bool is_null(const struct gput__json_leaf *leaf)
{
    return !leaf || leaf->kind == GPUT__JSON_NULL;
}

static int read_number(const struct reading *r, const struct gput__json_leaf *leaf, double *ret)
{
    if (leaf->kind == GPUT__JSON_NUMBER)
        *ret = leaf->number;
    else if (leaf->kind == GPUT__JSON_TRUE || leaf->kind == GPUT__JSON_FALSE)
        *ret = leaf->kind == GPUT__JSON_TRUE;
    else
        return refuse(r, leaf, "this is not a number");
    return 0;
}

static int read_int(const struct reading *r, const struct gput__json_leaf *leaf, int *ret)
{
    double v = 0;

    if (read_number(r, leaf, &v) < 0)
        return -EBADMSG;
    if (v != trunc(v) || fabs(v) > INT32_MAX)
        return refuse(r, leaf, "this is not a whole number");
    *ret = (int)v;
    return 0;
}

static int read_words(const struct reading *r, const struct gput__json_leaf *leaf,
                      int (*of)(const char *), int *ret)
{
    *ret = leaf->kind == GPUT__JSON_STRING ? of(leaf->text) : -1;
    return *ret < 0 ? refuse(r, leaf, "unknown words") : 0;
}

/* What `sources` says of a figure. */
static int read_source(const struct reading *r, const char *path, struct gput_figure *f)
{
    const struct gput__json_leaf *source, *why;
    char name[512];
    int s;

    f->source = GPUT_SAMPLED;
    f->why = r->is_full ? NULL : WHY_NOT_TOLD;
    snprintf(name, sizeof(name), "sources.%s.source", path);
    source = gput__json_leaf(&r->leaves, name);
    snprintf(name, sizeof(name), "sources.%s.why", path);
    why = gput__json_leaf(&r->leaves, name);
    if (source && read_words(r, source, gput__source_of, &s) < 0)
        return -EBADMSG;
    if (source)
        f->source = (enum gput_source)s;
    if (why && why->kind == GPUT__JSON_STRING)
        f->why = why->text;
    return 0;
}

static int read_figure(const struct reading *r, const char *path,
                       const struct gput__json_leaf *leaf, double unit, struct gput_figure *ret)
{
    struct gput_figure f = { 0 };

    if (read_source(r, path, &f) < 0)
        return -EBADMSG;
    if (is_null(leaf))
        f.source = GPUT_UNAVAILABLE;
    else if (read_number(r, leaf, &f.value) < 0)
        return -EBADMSG;
    f.value = f.source == GPUT_UNAVAILABLE ? 0 : f.value * unit;
    *ret = f;
    return 0;
}

static double unit_of(const struct gput_usage *u, enum gput__row_kind kind)
{
    if (kind == GPUT__ROW_RAM)
        return gput__unit_of_memory(u->ram_unit)->size;
    if (kind == GPUT__ROW_GPU_RAM)
        return gput__unit_of_memory(u->gpu_ram_unit)->size;
    return kind == GPUT__ROW_TIME ? gput__unit_of_time(u->time_unit)->size : 1;
}

static int read_row(const struct reading *r, const struct gput__row *row, const char *path,
                    void *base)
{
    const struct gput__json_leaf *leaf = gput__json_leaf(&r->leaves, path);
    struct gput_usage *u = &r->rd->run->usage;
    void *at = (char *)base + row->offset;
    int value;

    if (gput__row_is_figure(row))
        return read_figure(r, path, leaf, unit_of(u, row->kind), at);
    if (is_null(leaf) || strcmp(row->key, "unit") == 0)
        return 0;
    switch (row->kind) {
    case GPUT__ROW_TEXT:
        if (leaf->kind != GPUT__JSON_STRING)
            return refuse(r, leaf, "this is not a text");
        *(const char **)at = leaf->text;
        return 0;
    case GPUT__ROW_PAIRS: /* its members are leaves of their own: read_pairs() */
        return 0;
    case GPUT__ROW_ENDING:
        if (read_words(r, leaf, gput__ending_of, &value) < 0)
            return -EBADMSG;
        u->job.ending = (enum gput_ending)value;
        return 0;
    case GPUT__ROW_OOM:
        if (read_words(r, leaf, gput__oom_of, &value) < 0)
            return -EBADMSG;
        u->job.oom = (enum gput_oom)value;
        return 0;
    case GPUT__ROW_PID:
        if (read_int(r, leaf, &value) < 0)
            return -EBADMSG;
        *(pid_t *)at = value;
        return 0;
    default:
        return read_int(r, leaf, at);
    }
}

/* All rows of a table; `prefix` stands in front of their paths. */
static int read_rows(const struct reading *r, const struct gput__rows *rows, const char *prefix,
                     void *base)
{
    size_t end[4] = { strlen(prefix) };
    char path[256];
    unsigned depth = 0;

    snprintf(path, sizeof(path), "%s", prefix);
    for (size_t i = 0; i < rows->n; i++) {
        const struct gput__row *row = &rows->row[i];

        if (row->kind == GPUT__ROW_CLOSE) {
            depth--;
            continue;
        }
        snprintf(path + end[depth], sizeof(path) - end[depth], "%s%s", end[depth] ? "." : "",
                 row->key);
        if (row->kind == GPUT__ROW_OPEN)
            end[++depth] = strlen(path);
        else if (read_row(r, row, path, base) < 0)
            return -EBADMSG;
    }
    return 0;
}

static int read_unit(const struct reading *r, const char *path,
                     const struct gput__unit *(*of)(const char *), const char **ret)
{
    const struct gput__json_leaf *leaf = gput__json_leaf(&r->leaves, path);
    const struct gput__unit *unit;

    if (is_null(leaf))
        return 0;
    unit = leaf->kind == GPUT__JSON_STRING ? of(leaf->text) : NULL;
    if (!unit)
        return refuse(r, leaf, "unknown unit");
    *ret = unit->name;
    return 0;
}

static int read_units(const struct reading *r)
{
    struct gput_usage *u = &r->rd->run->usage;

    if (read_unit(r, "max_ram.unit", gput__unit_of_memory, &u->ram_unit) < 0 ||
        read_unit(r, "max_gpu_ram.unit", gput__unit_of_memory, &u->gpu_ram_unit) < 0)
        return -EBADMSG;
    return read_unit(r, "compute_time.unit", gput__unit_of_time, &u->time_unit);
}

/* How many there are of LIST.0.MEMBER, LIST.1.MEMBER ... */
static int count_of(const struct reading *r, const char *list, const char *member)
{
    char path[128];
    int n = 0;

    do
        snprintf(path, sizeof(path), "%s.%d.%s", list, n, member);
    while (gput__json_leaf(&r->leaves, path) && ++n);
    return n;
}

static int fail_memory(const struct reading *r)
{
    return gput__file_fail(-ENOMEM, r->rd->path, r->rd->ret_err, "%s", strerror(ENOMEM));
}

/* The n structs of a list, which are the run's. */
static int read_structs(struct reading *r, const char *list, int n, const struct gput__rows *rows,
                        size_t size, void *ret)
{
    char prefix[128], *items = calloc((size_t)n + 1, size);

    if (!items)
        return fail_memory(r);
    r->rd->run->texts[r->n_texts++] = items;
    for (int i = 0; i < n; i++) {
        snprintf(prefix, sizeof(prefix), "%s.%d", list, i);
        if (read_rows(r, rows, prefix, items + (size_t)i * size) < 0)
            return -EBADMSG;
    }
    *(void **)ret = items;
    return 0;
}

static int read_list(struct reading *r, const char *list, const struct gput__rows *rows,
                     size_t size, void *ret, int *ret_n)
{
    *ret_n = count_of(r, list, rows->row[0].key);
    return read_structs(r, list, *ret_n, rows, size, ret);
}

static const char *text_at(const struct reading *r, const char *path)
{
    const struct gput__json_leaf *leaf = gput__json_leaf(&r->leaves, path);

    return leaf && leaf->kind == GPUT__JSON_STRING ? leaf->text : NULL;
}

static int read_gpus(struct reading *r)
{
    struct gput_usage *u = &r->rd->run->usage;
    int s = read_list(r, "gpu.gpus", &gput__gpu_rows, sizeof(struct gput_gpu), &u->gpu.gpus,
                      &u->gpu.n_gpus);

    if (s == 0 && u->gpu.n_gpus > 0)
        s = read_structs(r, "gpu.gpus", u->gpu.n_gpus, &gput__gpu_work_rows,
                         sizeof(struct gput_gpu_work), &u->gpu.work);
    u->gpu.attribution = text_at(r, "gpu.attribution");
    u->gpu.note = text_at(r, "gpu.note");
    return s < 0
               ? s
               : read_list(r, "gpu.processes", &gput__gpu_process_rows,
                           sizeof(struct gput_gpu_process), &u->gpu.processes, &u->gpu.n_processes);
}

/* [{cores, seconds}] */
static int read_levels(const struct reading *r)
{
    double *seconds = r->rd->run->usage.cpu_levels.seconds, cores = 0, value = 0;
    int n = count_of(r, "cpu_levels", "seconds");
    char path[128];

    for (int i = 0; i < n; i++) {
        const struct gput__json_leaf *leaf;

        snprintf(path, sizeof(path), "cpu_levels.%d.seconds", i);
        if (read_number(r, gput__json_leaf(&r->leaves, path), &value) < 0)
            return -EBADMSG;
        snprintf(path, sizeof(path), "cpu_levels.%d.cores", i);
        leaf = gput__json_leaf(&r->leaves, path);
        if (!leaf || read_number(r, leaf, &cores) < 0)
            return -EBADMSG;
        if (value > 0 && value < IMPOSSIBLE)
            seconds[gput__level_of(cores)] += value;
    }
    return 0;
}

/* The members of an object, all of them texts, as lines of "key=value". */
static int read_pairs(struct reading *r, const char *object, const char **ret)
{
    struct gput__buf lines = GPUT__BUF_INIT;
    size_t n = strlen(object);
    char *text = NULL;

    for (size_t i = 0; i < r->leaves.n; i++) {
        const struct gput__json_leaf *leaf = &r->leaves.leaf[i];

        if (leaf->kind == GPUT__JSON_STRING && strncmp(leaf->path, object, n) == 0 &&
            leaf->path[n] == '.' && !strpbrk(leaf->path, "=\n") && !strchr(leaf->text, '\n'))
            gput__buf_printf(&lines, "%s=%s\n", leaf->path + n + 1, leaf->text);
    }
    if (lines.len == 0 && !lines.err)
        return 0;
    if (gput__buf_detach(&lines, &text) < 0)
        return fail_memory(r);
    r->rd->run->texts[r->n_texts++] = text;
    *ret = text;
    return 0;
}

/* When and where it ran. */
static int read_identity(struct reading *r)
{
    struct gput__run *run = r->rd->run;
    struct gput_usage *u = &run->usage;
    int s = read_pairs(r, "run.tags", &u->run.tags);

    s = s < 0 ? s : read_pairs(r, "run.metadata", &u->run.metadata);
    if (u->run.start_time)
        run->start = gput__iso_time_read(u->run.start_time);
    if (!isnan(run->start) && u->compute_time.time.source != GPUT_UNAVAILABLE)
        run->end = run->start + u->compute_time.time.value;
    return s < 0 || gput__run_text(&run->host, u->run.host) ? s : fail_memory(r);
}

/* Without --full a figure that nobody knows stands there as 0. */
static void forget_gpus(struct gput_usage *u)
{
    const struct gput_figure none = { .why = WHY_NO_GPU };

    u->max_gpu_ram.system_capacity = u->max_gpu_ram.system = none;
    u->max_gpu_ram.main = u->max_gpu_ram.descendants = u->max_gpu_ram.combined = none;
    u->gpu_utilization.gpu_percentages = (struct gput_percentages){ none, none, none, none };
}

/* The run gets the texts of the leaves, since its usage points to them. */
static int hand_over_texts(struct reading *r)
{
    struct gput__run *run = r->rd->run;

    run->texts = calloc(r->leaves.n + 7, sizeof(*run->texts));
    if (!run->texts)
        return fail_memory(r);
    for (size_t i = 0; i < r->leaves.n; i++)
        if (r->leaves.leaf[i].text)
            run->texts[r->n_texts++] = r->leaves.leaf[i].text;
    return 0;
}

static int read_all(struct reading *r)
{
    struct gput_usage *u = &r->rd->run->usage;
    int s = read_units(r);

    r->is_full = gput__json_leaf(&r->leaves, "sources.compute_time.time.source") != NULL;
    for (int which = GPUT__DEFAULT_ROWS; s == 0 && which <= GPUT__FULL_ROWS; which++) {
        struct gput__row room[GPUT__MOST_ROWS];
        struct gput__rows rows = gput__usage_rows((enum gput__rows_of)which, room);

        s = read_rows(r, &rows, "", u);
    }
    s = s < 0 ? s : read_gpus(r);
    s = s < 0 ? s : read_levels(r);
    if (s == 0)
        s = read_list(r, "processes", &gput__process_group_rows, sizeof(struct gput_process_group),
                      &u->processes.groups, &u->processes.n_groups);
    if (s == 0 && !r->is_full && u->gpu_utilization.system_gpu_count.source != GPUT_UNAVAILABLE &&
        u->gpu_utilization.system_gpu_count.value == 0)
        forget_gpus(u);
    s = s < 0 ? s : read_identity(r);
    if (s == 0)
        r->rd->run->n_records = (uint64_t)u->tracker.n_records.value;
    return s;
}

/* All members of the outermost object; we are behind the name of the first. */
static int load(struct reading *r, struct gput__json_pull *p, const char *first)
{
    char name[64];
    int token;

    snprintf(name, sizeof(name), "%s", first);
    do {
        int s = gput__json_pull_next(p);

        s = s < 0 ? s : gput__json_leaves_add(&r->leaves, p, s, name);
        if (s < 0)
            return gput__run_fail_json(r->rd, p, s);
        token = gput__json_pull_next(p);
        snprintf(name, sizeof(name), "%.63s", gput__buf_text(&p->text));
    } while (token == GPUT__JSON_KEY);
    token = token < 0 ? token : gput__json_pull_next(p); /* behind the last brace: nothing */
    return token < 0 ? gput__run_fail_json(r->rd, p, token) : 0;
}

int gput__run_read_json(struct gput__run_reading *rd, struct gput__json_pull *p, const char *first)
{
    struct reading r = { .rd = rd };
    int s = load(&r, p, first);

    gput__json_leaves_sort(&r.leaves);
    s = s < 0 ? s : hand_over_texts(&r);
    if (s == 0) {
        s = read_all(&r);
        for (size_t i = 0; i < r.leaves.n; i++)
            r.leaves.leaf[i].text = NULL;
    }
    gput__json_leaves_free(&r.leaves);
    return s < 0 || gput__run_text(&rd->run->kind, "result of a run") ? s : fail_memory(&r);
}
