/* usage_json.c - the figures of a run as JSON. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/levels.h"
#include "report/bottlenecks.h"
#include "report/budget.h"
#include "report/cells.h"
#include "report/json/json.h"
#include "report/usage.h"

/* The default output keeps its schema, and so a number, whatever is known; in the full one unknown
 * is null. */
static void write_figure(struct gput__json *j, struct gput__cell c, bool null_if_unknown)
{
    const struct gput_figure *f = gput__cell_figure(c);

    if (null_if_unknown && f->source == GPUT_UNAVAILABLE)
        gput__json_null(j, c.row->key);
    else if (c.row->kind == GPUT__ROW_COUNT)
        gput__json_count(j, c.row->key, f->value);
    else
        gput__json_double(j, c.row->key, gput__cell_value(c));
}

static void write_whole(struct gput__json *j, struct gput__cell c)
{
    if (gput__cell_applies(c))
        gput__json_count(j, c.row->key, (double)gput__cell_long(c));
    else
        gput__json_null(j, c.row->key);
}

/* Names are of any kind, so a member for each. */
static void write_pairs(struct gput__json *j, const char *key, const char *lines)
{
    gput__json_open(j, key);
    while (lines && *lines) {
        size_t line = strcspn(lines, "\n"), name = strcspn(lines, "=\n");
        char *pair = strndup(lines, line);

        if (pair && name < line) {
            pair[name] = '\0';
            gput__json_string(j, pair, pair + name + 1);
        }
        free(pair);
        lines += line + (lines[line] == '\n');
    }
    gput__json_close(j);
}

static void write_cell(struct gput__json *j, struct gput__cell c, bool null_if_unknown)
{
    switch (c.row->kind) {
    case GPUT__ROW_OPEN:
        gput__json_open(j, c.row->key);
        break;
    case GPUT__ROW_CLOSE:
        gput__json_close(j);
        break;
    case GPUT__ROW_TEXT:
    case GPUT__ROW_ENDING:
    case GPUT__ROW_OOM:
        gput__json_string(j, c.row->key, gput__cell_words(c));
        break;
    case GPUT__ROW_PAIRS:
        write_pairs(j, c.row->key, gput__cell_words(c));
        break;
    case GPUT__ROW_INT:
    case GPUT__ROW_SOME:
    case GPUT__ROW_EXIT:
    case GPUT__ROW_SIGNAL:
    case GPUT__ROW_PID:
        write_whole(j, c);
        break;
    case GPUT__ROW_BOOL:
        gput__json_bool(j, c.row->key, gput__cell_long(c) != 0);
        break;
    default:
        write_figure(j, c, null_if_unknown);
    }
}

static void write_rows(struct gput__json *j, const struct gput__rows *rows, const void *base,
                       const struct gput_usage *u, bool null_if_unknown)
{
    for (size_t i = 0; i < rows->n; i++)
        write_cell(j, (struct gput__cell){ &rows->row[i], base, u }, null_if_unknown);
}

void gput__gpu_json(struct gput__json *j, const struct gput_usage *u, int i)
{
    write_rows(j, &gput__gpu_rows, &u->gpu.gpus[i], u, true);
    if (u->gpu.work)
        write_rows(j, &gput__gpu_work_rows, &u->gpu.work[i], u, true);
}

static void write_processes(struct gput__json *j, const struct gput__rows *rows, const void *list,
                            size_t size, int n, const struct gput_usage *u)
{
    gput__json_open_list(j, "processes");
    for (int i = 0; i < n; i++) {
        gput__json_open(j, NULL);
        write_rows(j, rows, (const char *)list + (size_t)i * size, u, true);
        gput__json_close(j);
    }
    gput__json_close_list(j);
}

static void write_gpus(struct gput__json *j, const struct gput_usage *u, bool with_list)
{
    gput__json_open(j, "gpu");
    gput__json_string(j, "attribution", u->gpu.attribution);
    gput__json_string(j, "note", u->gpu.note);
    gput__json_open_list(j, "gpus");
    for (int i = 0; with_list && i < u->gpu.n_gpus; i++) {
        gput__json_open(j, NULL);
        gput__gpu_json(j, u, i);
        gput__json_close(j);
    }
    gput__json_close_list(j);
    write_processes(j, &gput__gpu_process_rows, u->gpu.processes, sizeof(*u->gpu.processes),
                    u->gpu.n_processes, u);
    gput__json_close(j);
}

/* Who used it; null: not known. */
static void write_groups(struct gput__json *j, const struct gput_usage *u)
{
    if (u->processes.n_groups == 0) {
        gput__json_null(j, "processes");
        return;
    }
    write_processes(j, &gput__process_group_rows, u->processes.groups, sizeof(*u->processes.groups),
                    u->processes.n_groups, u);
}

/* --- where figures come from ----------------------------------------------------------------- */

static void write_source(void *ctx, const char *path, const struct gput_figure *f)
{
    struct gput__json *j = ctx;

    gput__json_open(j, path);
    gput__json_string(j, "source", gput__source_name(f->source));
    if (f->why)
        gput__json_string(j, "why", f->why);
    gput__json_close(j);
}

/* Each figure by its path, e.g. "max_ram.main.total_rss". */
static void each_figure(const struct gput__rows *rows, const struct gput_usage *u,
                        void (*tell)(void *ctx, const char *path, const struct gput_figure *f),
                        void *ctx)
{
    const char *open[4] = { "", "", "", "" };
    unsigned depth = 0;

    for (size_t i = 0; i < rows->n; i++) {
        struct gput__cell c = { &rows->row[i], u, u };
        char path[128];

        if (c.row->kind == GPUT__ROW_OPEN)
            open[depth++] = c.row->key;
        else if (c.row->kind == GPUT__ROW_CLOSE)
            open[--depth] = "";
        if (!gput__row_is_figure(c.row))
            continue;
        snprintf(path, sizeof(path), "%s.%s%s%s", open[0], open[1], depth > 1 ? "." : "",
                 c.row->key);
        tell(ctx, path, gput__cell_figure(c));
    }
}

enum { MOST_REASONS = 64 };

/* The reasons why figures are not exact, and the one whose figures are written. */
struct reasons {
    struct gput__json *j;
    const struct gput_figure *reason[MOST_REASONS];
    size_t n, now;
};

static bool is_same_reason(const struct gput_figure *a, const struct gput_figure *b)
{
    return a->source == b->source && strcmp(a->why ? a->why : "", b->why ? b->why : "") == 0;
}

static void find_reason(void *ctx, const char *path, const struct gput_figure *f)
{
    struct reasons *r = ctx;
    size_t i = 0;

    (void)path;
    if (f->source == GPUT_EXACT)
        return;
    while (i < r->n && !is_same_reason(r->reason[i], f))
        i++;
    if (i == r->n && r->n < MOST_REASONS)
        r->reason[r->n++] = f;
}

static void write_if_reason(void *ctx, const char *path, const struct gput_figure *f)
{
    struct reasons *r = ctx;

    if (f->source != GPUT_EXACT && is_same_reason(r->reason[r->now], f))
        gput__json_string(r->j, NULL, path);
}

int gput__provenance_json(const struct gput_usage *u, struct gput__buf *out)
{
    struct gput__json j = { .out = out };
    struct gput__row room[2][GPUT__MOST_ROWS];
    struct gput__rows rows[2] = { gput__usage_rows(GPUT__DEFAULT_ROWS, room[0]),
                                  gput__usage_rows(GPUT__FULL_ROWS, room[1]) };
    struct reasons reasons = { .j = &j };

    for (int i = 0; i < 2; i++)
        each_figure(&rows[i], u, find_reason, &reasons);
    gput__json_open_list(&j, NULL);
    for (reasons.now = 0; reasons.now < reasons.n; reasons.now++) {
        const struct gput_figure *reason = reasons.reason[reasons.now];

        gput__json_open(&j, NULL);
        gput__json_string(&j, "source", gput__source_name(reason->source));
        gput__json_string(&j, "why", reason->why);
        gput__json_open_list(&j, "figures");
        for (int i = 0; i < 2; i++)
            each_figure(&rows[i], u, write_if_reason, &reasons);
        gput__json_close_list(&j);
        gput__json_close(&j);
    }
    gput__json_close_list(&j);
    return out->err;
}

/* Those that occurred. */
static void write_levels(struct gput__json *j, const struct gput_usage *u)
{
    gput__json_open_list(j, "cpu_levels");
    for (int i = 0; i < GPUT_CPU_LEVELS; i++) {
        if (!(u->cpu_levels.seconds[i] > 0))
            continue;
        gput__json_open(j, NULL);
        gput__json_double(j, "cores", gput_cpu_level(i));
        gput__json_double(j, "seconds", u->cpu_levels.seconds[i]);
        gput__json_close(j);
    }
    gput__json_close_list(j);
}

enum extent { USUAL, FULL, OF_RANK };

static int write_usage(const struct gput_usage *u, enum extent extent, struct gput__buf *out)
{
    struct gput__json j = { .out = out };
    struct gput__row room[2][GPUT__MOST_ROWS];
    struct gput__rows shown = gput__usage_rows(GPUT__DEFAULT_ROWS, room[0]), more;

    gput__json_open(&j, NULL);
    write_rows(&j, &shown, u, u, extent != USUAL);
    gput__budget_json(&j, u);
    if (extent != USUAL) {
        more = gput__usage_rows(GPUT__FULL_ROWS, room[1]);
        gput__json_count(&j, "schema", GPUT__RESULT_SCHEMA);
        write_gpus(&j, u, extent == FULL);
        write_rows(&j, &more, u, u, true);
        write_levels(&j, u);
        gput__bottlenecks_json(&j, u);
        write_groups(&j, u);
    }
    if (extent == FULL) {
        gput__json_open(&j, "sources");
        each_figure(&shown, u, write_source, &j);
        each_figure(&more, u, write_source, &j);
        gput__json_close(&j);
    }
    gput__json_close(&j);
    return out->err;
}

int gput__usage_json(const struct gput_usage *u, bool full, struct gput__buf *out)
{
    return write_usage(u, full ? FULL : USUAL, out);
}

int gput__usage_json_of_rank(const struct gput_usage *u, struct gput__buf *out)
{
    return write_usage(u, OF_RANK, out);
}
