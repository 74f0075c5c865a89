/* rows.c - figures as rows: CSV, and JSON a line each. */
#include "export/rows.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/json/json.h"

/* Quoted where it must be (RFC 4180). */
static void write_cell(struct gput__buf *out, const char *text)
{
    if (!text)
        return;
    if (!strpbrk(text, ",\"\r\n")) {
        gput__buf_puts(out, text);
        return;
    }
    gput__buf_putc(out, '"');
    for (; *text; text++)
        gput__buf_add(out, *text == '"' ? "\"\"" : text, *text == '"' ? 2 : 1);
    gput__buf_putc(out, '"');
}

/* Pairs of a run, tags first. */
static bool next_tag(const char **tags, const char **metadata, struct gput__pair *ret)
{
    return gput__pair_next(tags, ret) || gput__pair_next(metadata, ret);
}

/* "k=v;k2=v2". */
static void write_tags(struct gput__buf *out, const struct gput_usage *u)
{
    const char *tags = u->run.tags, *metadata = u->run.metadata;
    struct gput__buf text = GPUT__BUF_INIT;
    struct gput__pair pair;

    while (next_tag(&tags, &metadata, &pair))
        gput__buf_printf(&text, "%s%.*s=%.*s", text.len ? ";" : "", (int)pair.key_len, pair.key,
                         (int)pair.value_len, pair.value);
    write_cell(out, text.data);
    out->err = text.err ? text.err : out->err;
    gput__buf_free(&text);
}

static const char *kind_of(const struct gput__point *p)
{
    return p->kind == GPUT__POINT_COUNTER ? "counter" : "gauge";
}

static void write_row(const struct gput__exposed *run, const struct gput__point *p,
                      struct gput__buf *out)
{
    const struct gput_usage *u = run->head.u;
    char number[32], rank[16] = "";
    const char *cells[] = { u->run.id,       u->run.start_time, u->run.host, rank,
                            u->run.job_name, p->family,         p->scope };

    if (run->head.rank >= 0)
        snprintf(rank, sizeof(rank), "%d", run->head.rank);
    for (size_t i = 0; i < sizeof(cells) / sizeof(*cells); i++) {
        write_cell(out, cells[i]);
        gput__buf_putc(out, ',');
    }
    if (p->gpu >= 0)
        gput__buf_printf(out, "%d", p->gpu);
    gput__export_number(p->value, number);
    gput__buf_printf(out, ",%s,%s,%s,", kind_of(p), gput__point_unit(p->family), number);
    write_tags(out, u);
    gput__buf_puts(out, "\r\n");
}

void gput__export_csv(const struct gput__exposed *runs, size_t n, struct gput__buf *out)
{
    gput__buf_puts(out,
                   "run,start_time,host,rank,job_name,name,scope,gpu,type,unit,value,tags\r\n");
    for (size_t r = 0; r < n; r++) {
        for (size_t i = 0; i < runs[r].points.n; i++)
            write_row(&runs[r], &runs[r].points.list[i], out);
        if (runs[r].points.err)
            out->err = runs[r].points.err;
    }
}

static void write_tag_object(struct gput__json *j, const struct gput_usage *u)
{
    const char *tags = u->run.tags, *metadata = u->run.metadata;
    struct gput__pair pair;

    gput__json_open(j, "tags");
    while (next_tag(&tags, &metadata, &pair)) {
        char *key = strndup(pair.key, pair.key_len), *value = strndup(pair.value, pair.value_len);

        if (key && value)
            gput__json_string(j, key, value);
        else
            j->out->err = -ENOMEM;
        free(key);
        free(value);
    }
    gput__json_close(j);
}

static void write_object(const struct gput__exposed *run, const struct gput__point *p,
                         struct gput__buf *out)
{
    struct gput__json j = { .out = out, .is_compact = true };
    const struct gput_usage *u = run->head.u;

    gput__json_open(&j, NULL);
    gput__json_string(&j, "run", u->run.id);
    gput__json_string(&j, "start_time", u->run.start_time);
    gput__json_string(&j, "host", u->run.host);
    gput__json_count(&j, "rank", run->head.rank >= 0 ? run->head.rank : (double)NAN);
    gput__json_string(&j, "job_name", u->run.job_name);
    gput__json_string(&j, "name", p->family);
    gput__json_string(&j, "scope", p->scope);
    if (p->gpu >= 0)
        gput__json_count(&j, "gpu", p->gpu);
    else
        gput__json_null(&j, "gpu");
    gput__json_string(&j, "type", kind_of(p));
    gput__json_string(&j, "unit", gput__point_unit(p->family));
    gput__json_double(&j, "value", p->value);
    write_tag_object(&j, u);
    gput__json_close(&j);
    gput__buf_putc(out, '\n');
}

void gput__export_jsonl(const struct gput__exposed *runs, size_t n, struct gput__buf *out)
{
    for (size_t r = 0; r < n; r++) {
        for (size_t i = 0; i < runs[r].points.n; i++)
            write_object(&runs[r], &runs[r].points.list[i], out);
        if (runs[r].points.err)
            out->err = runs[r].points.err;
    }
}
