/* usage_json.c - the figures of a run as JSON. */
#include <stdio.h>

#include "report/json.h"
#include "report/layout.h"
#include "report/usage.h"

/* The default output keeps its schema, and so a number, whatever is known; in the full one unknown
 * is null. */
static void put_figure(struct gput__json *j, const struct gput__row *row,
                       const struct gput_usage *u, bool null_if_unknown)
{
    const struct gput_figure *f = gput__row_figure(row, u);

    if (null_if_unknown && f->source == GPUT_UNAVAILABLE)
        gput__json_null(j, row->key);
    else if (row->kind == GPUT__ROW_COUNT)
        gput__json_count(j, row->key, f->value);
    else
        gput__json_double(j, row->key, gput__row_value(row, u));
}

static void put_row(struct gput__json *j, const struct gput__row *row, const struct gput_usage *u,
                    bool null_if_unknown)
{
    switch (row->kind) {
    case GPUT__ROW_OPEN:
        gput__json_open(j, row->key);
        break;
    case GPUT__ROW_CLOSE:
        gput__json_close(j);
        break;
    case GPUT__ROW_TEXT:
    case GPUT__ROW_ENDING:
    case GPUT__ROW_OOM:
        gput__json_string(j, row->key, gput__row_words(row, u));
        break;
    case GPUT__ROW_INT:
    case GPUT__ROW_EXIT:
    case GPUT__ROW_SIGNAL:
    case GPUT__ROW_PID:
        if (gput__row_applies(row, u))
            gput__json_count(j, row->key, (double)gput__row_long(row, u));
        else
            gput__json_null(j, row->key);
        break;
    case GPUT__ROW_BOOL:
        gput__json_bool(j, row->key, gput__row_long(row, u) != 0);
        break;
    default:
        put_figure(j, row, u, null_if_unknown);
    }
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
static void put_sources(struct gput__json *j, const struct gput__row *rows, size_t n,
                        const struct gput_usage *u)
{
    const char *open[4] = { "", "", "", "" };
    unsigned depth = 0;

    for (size_t i = 0; i < n; i++) {
        char path[128];

        if (rows[i].kind == GPUT__ROW_OPEN)
            open[depth++] = rows[i].key;
        else if (rows[i].kind == GPUT__ROW_CLOSE)
            open[--depth] = "";
        if (!gput__row_is_figure(&rows[i]))
            continue;
        snprintf(path, sizeof(path), "%s.%s%s%s", open[0], open[1], depth > 1 ? "." : "",
                 rows[i].key);
        put_source(j, path, gput__row_figure(&rows[i], u));
    }
}

int gput__usage_json(const struct gput_usage *u, bool full, struct gput__buf *out)
{
    struct gput__json j = { .out = out };

    gput__json_open(&j, NULL);
    for (size_t i = 0; i < gput__n_default_rows; i++)
        put_row(&j, &gput__default_rows[i], u, full);
    for (size_t i = 0; full && i < gput__n_full_rows; i++)
        put_row(&j, &gput__full_rows[i], u, true);
    if (full) {
        gput__json_open(&j, "sources");
        put_sources(&j, gput__default_rows, gput__n_default_rows, u);
        put_sources(&j, gput__full_rows, gput__n_full_rows, u);
        gput__json_close(&j);
    }
    gput__json_close(&j);
    return out->err;
}
