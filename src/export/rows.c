/* rows.c - figures as rows: CSV, and JSON a line each. */
#include "export/rows.h"

#include <math.h>
#include <stdio.h>
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
    gput__buf_printf(out, ",%s,%s,%s\r\n", kind_of(p), gput__point_unit(p->family), number);
}

void gput__export_csv(const struct gput__exposed *runs, size_t n, struct gput__buf *out)
{
    gput__buf_puts(out, "run,start_time,host,rank,job_name,name,scope,gpu,type,unit,value\r\n");
    for (size_t r = 0; r < n; r++) {
        for (size_t i = 0; i < runs[r].points.n; i++)
            write_row(&runs[r], &runs[r].points.list[i], out);
        if (runs[r].points.err)
            out->err = runs[r].points.err;
    }
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
