/* usage_json.c - the figures of a run as JSON. */
#include <stdio.h>

#include "report/cells.h"
#include "report/json/json.h"
#include "report/usage.h"

/* The default output keeps its schema, and so a number, whatever is known; in the full one unknown
 * is null. */
static void put_figure(struct gput__json *j, struct gput__cell c, bool null_if_unknown)
{
    const struct gput_figure *f = gput__cell_figure(c);

    if (null_if_unknown && f->source == GPUT_UNAVAILABLE)
        gput__json_null(j, c.row->key);
    else if (c.row->kind == GPUT__ROW_COUNT)
        gput__json_count(j, c.row->key, f->value);
    else
        gput__json_double(j, c.row->key, gput__cell_value(c));
}

static void put_whole(struct gput__json *j, struct gput__cell c)
{
    if (gput__cell_applies(c))
        gput__json_count(j, c.row->key, (double)gput__cell_long(c));
    else
        gput__json_null(j, c.row->key);
}

static void put_cell(struct gput__json *j, struct gput__cell c, bool null_if_unknown)
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
    case GPUT__ROW_INT:
    case GPUT__ROW_SOME:
    case GPUT__ROW_EXIT:
    case GPUT__ROW_SIGNAL:
    case GPUT__ROW_PID:
        put_whole(j, c);
        break;
    case GPUT__ROW_BOOL:
        gput__json_bool(j, c.row->key, gput__cell_long(c) != 0);
        break;
    default:
        put_figure(j, c, null_if_unknown);
    }
}

static void put_rows(struct gput__json *j, const struct gput__rows *rows, const void *base,
                     const struct gput_usage *u, bool null_if_unknown)
{
    for (size_t i = 0; i < rows->n; i++)
        put_cell(j, (struct gput__cell){ &rows->row[i], base, u }, null_if_unknown);
}

static void put_gpus(struct gput__json *j, const struct gput_usage *u)
{
    gput__json_open(j, "gpu");
    gput__json_string(j, "attribution", u->gpu.attribution);
    gput__json_string(j, "note", u->gpu.note);
    gput__json_open_list(j, "gpus");
    for (int i = 0; i < u->gpu.n_gpus; i++) {
        gput__json_open(j, NULL);
        put_rows(j, &gput__gpu_rows, &u->gpu.gpus[i], u, true);
        gput__json_close(j);
    }
    gput__json_close_list(j);
    gput__json_open_list(j, "processes");
    for (int i = 0; i < u->gpu.n_processes; i++) {
        gput__json_open(j, NULL);
        put_rows(j, &gput__gpu_process_rows, &u->gpu.processes[i], u, true);
        gput__json_close(j);
    }
    gput__json_close_list(j);
    gput__json_close(j);
}

static void put_source(struct gput__json *j, const char *path, const struct gput_figure *f)
{
    gput__json_open(j, path);
    gput__json_string(j, "source", gput__source_name(f->source));
    if (f->why)
        gput__json_string(j, "why", f->why);
    gput__json_close(j);
}

/* Each figure by its path, e.g. "max_ram.main.total_rss". */
static void put_sources(struct gput__json *j, const struct gput__rows *rows,
                        const struct gput_usage *u)
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
        put_source(j, path, gput__cell_figure(c));
    }
}

int gput__usage_json(const struct gput_usage *u, bool full, struct gput__buf *out)
{
    struct gput__json j = { .out = out };
    struct gput__row room[2][GPUT__MOST_ROWS];
    struct gput__rows shown = gput__usage_rows(GPUT__DEFAULT_ROWS, room[0]), more;

    gput__json_open(&j, NULL);
    put_rows(&j, &shown, u, u, full);
    if (full) {
        more = gput__usage_rows(GPUT__FULL_ROWS, room[1]);
        put_gpus(&j, u);
        put_rows(&j, &more, u, u, true);
        gput__json_open(&j, "sources");
        put_sources(&j, &shown, u);
        put_sources(&j, &more, u);
        gput__json_close(&j);
    }
    gput__json_close(&j);
    return out->err;
}
