/* html_tables.c - who used it, the GPUs of a report, and how each of its figures was measured. */
#include <stdio.h>
#include <string.h>

#include "model/usage_rows.h"
#include "report/html/html.h"
#include "report/html/html_text.h"
#include "report/text/amount.h"

typedef const char *(*formatter)(double value, char *ret);

static void write_figure(struct gput__buf *out, struct gput_figure f, formatter format,
                         const char *behind)
{
    char text[GPUT__AMOUNT_SIZE];

    if (f.source == GPUT_UNAVAILABLE)
        gput__buf_puts(out, "<td class=\"missing\">not measured</td>");
    else
        gput__buf_printf(out, "<td>%s%s</td>", format(f.value, text), behind);
}

/* A section with a table, up to its first row; `columns` ends with NULL. */
static void begin_table(struct gput__buf *out, const char *id, const char *title,
                        const char *caption, const char *const *columns)
{
    gput__buf_printf(out,
                     "<section aria-labelledby=\"%s\">\n<h2 id=\"%s\">%s</h2>\n<div "
                     "class=\"scroll\" role=\"region\" aria-labelledby=\"%s\" tabindex=\"0\">"
                     "<table><caption>%s</caption><thead><tr>",
                     id, id, title, id, caption);
    for (; *columns; columns++)
        gput__buf_printf(out, "<th scope=\"col\">%s</th>", *columns);
    gput__buf_puts(out, "</tr></thead>\n<tbody>\n");
}

static void write_gpu(struct gput__buf *out, const struct gput_gpu *g)
{
    gput__buf_printf(out, "<tr><th scope=\"row\">%d ", g->index);
    gput__html_isolated(out, g->name ? g->name : "GPU");
    if (g->uuid) {
        gput__buf_puts(out, "<br><small>");
        gput__html_text(out, g->uuid);
        gput__buf_puts(out, "</small>");
    }
    gput__buf_puts(out, "</th>");
    write_figure(out, g->mean_utilization, gput__amount_percent, "");
    write_figure(out, g->max_utilization, gput__amount_percent, "");
    write_figure(out, g->max_memory, gput__amount_bytes, "");
    write_figure(out, g->memory_total, gput__amount_bytes, "");
    write_figure(out, g->energy, gput__amount_energy, "");
    write_figure(out, g->max_power, gput__amount_number, " W");
    write_figure(out, g->max_temperature, gput__amount_number, " &deg;C");
    gput__buf_puts(out, "<td>");
    gput__html_text(out, g->throttled                              ? g->throttled
                         : g->state && strcmp(g->state, "ok") != 0 ? g->state
                                                                   : "no");
    gput__buf_puts(out, "</td></tr>\n");
}

void gput__html_gpus(const struct gput__html *h, struct gput__buf *out)
{
    static const char *const columns[] = {
        "GPU",    "Mean use",      "Highest use",         "Peak memory", "Memory",
        "Energy", "Highest power", "Highest temperature", "Slowed down", NULL
    };
    const struct gput_usage *u = &h->run->usage;

    if (u->gpu.n_gpus == 0)
        return;
    begin_table(out, "gpus", "GPUs", "Each GPU over the run, all processes on it together.",
                columns);
    for (int i = 0; i < u->gpu.n_gpus; i++)
        write_gpu(out, &u->gpu.gpus[i]);
    gput__buf_puts(out, "</tbody></table></div>\n");
    if (u->gpu.note) {
        gput__buf_puts(out, "<p class=\"note\">");
        gput__html_text(out, u->gpu.note);
        gput__buf_puts(out, "</p>\n");
    }
    gput__buf_puts(out, "</section>\n");
}

/* --- who used it ------------------------------------------------------------------------------ */

void gput__html_who(const struct gput__html *h, struct gput__buf *out)
{
    static const char *const columns[] = { "Command",         "Processes",
                                           "CPU time",        "Peak memory",
                                           "Peak GPU memory", "First seen",
                                           "Last seen",       NULL };
    const struct gput_usage *u = &h->run->usage;

    if (u->processes.n_groups == 0)
        return;
    begin_table(out, "who", "Who used it",
                "The processes of the job by command, ended ones included. Peaks are of the "
                "largest single process.",
                columns);
    for (int i = 0; i < u->processes.n_groups; i++) {
        const struct gput_process_group *g = &u->processes.groups[i];

        gput__buf_puts(out, "<tr><th scope=\"row\">");
        gput__html_isolated(out, g->name ? g->name : "");
        gput__buf_puts(out, "</th>");
        write_figure(out, g->count, gput__amount_count, "");
        write_figure(out, g->cpu_seconds, gput__amount_seconds, "");
        write_figure(out, g->max_rss, gput__amount_bytes, "");
        write_figure(out, g->gpu_ram, gput__amount_bytes, "");
        write_figure(out, g->first_seen, gput__amount_seconds, "");
        write_figure(out, g->last_seen, gput__amount_seconds, "");
        gput__buf_puts(out, "</tr>\n");
    }
    gput__buf_puts(out, "</tbody></table></div>\n</section>\n");
}

/* --- every figure ----------------------------------------------------------------------------- */

static const char *in_words(const struct gput__row *row, double value, char *ret)
{
    size_t n = strlen(row->key);
    bool is_bytes = (n > 6 && !strcmp(row->key + n - 6, "_bytes")) || !strcmp(row->key, "max_rss");

    switch (row->kind) {
    case GPUT__ROW_RAM:
    case GPUT__ROW_GPU_RAM:
        return gput__amount_bytes(value, ret);
    case GPUT__ROW_TIME:
        return gput__amount_seconds(value, ret);
    case GPUT__ROW_COUNT:
        return is_bytes ? gput__amount_bytes(value, ret) : gput__amount_count(value, ret);
    default:
        if (n > 7 && !strcmp(row->key + n - 7, "percent"))
            return gput__amount_percent(value, ret);
        return n > 8 && !strcmp(row->key + n - 8, "_seconds") ? gput__amount_seconds(value, ret)
                                                              : gput__amount_number(value, ret);
    }
}

static void write_row(struct gput__buf *out, const char *group, const struct gput__row *row,
                      const struct gput_figure *f)
{
    char text[GPUT__AMOUNT_SIZE];

    gput__buf_printf(out, "<tr><th scope=\"row\">%s<span class=\"group\">%s</span></th>",
                     row->label, group);
    if (f->source == GPUT_UNAVAILABLE)
        gput__buf_puts(out, "<td class=\"missing\">not measured</td>");
    else
        gput__buf_printf(out, "<td>%s</td>", in_words(row, f->value, text));
    gput__buf_printf(out, "<td><span class=\"source %s\">%s</span></td><td class=\"why\">",
                     gput__source_name(f->source), gput__source_name(f->source));
    gput__html_text(out, f->why ? f->why : "");
    gput__buf_puts(out, "</td></tr>\n");
}

static void write_rows(struct gput__buf *out, const struct gput_usage *u,
                       const struct gput__rows *rows)
{
    const char *names[8] = { "" };
    char group[120];
    size_t depth = 0;

    for (size_t i = 0; i < rows->n; i++) {
        const struct gput__row *row = &rows->row[i];
        const struct gput_figure *f = (const void *)((const char *)u + row->offset);

        if (row->kind == GPUT__ROW_OPEN && depth < 7) {
            names[++depth] = row->label;
        } else if (row->kind == GPUT__ROW_CLOSE && depth > 0) {
            depth--;
        } else if (gput__row_is_figure(row)) {
            snprintf(group, sizeof(group), "%s%s%s", names[depth > 0], depth > 1 ? ", " : "",
                     depth > 1 ? names[depth] : "");
            write_row(out, group, row, f);
        }
    }
}

static bool knows_something_of(const struct gput_usage *u, const struct gput__rows *rows)
{
    for (size_t i = 0; i < rows->n; i++)
        if (gput__row_is_figure(&rows->row[i]) &&
            ((const struct gput_figure *)(const void *)((const char *)u + rows->row[i].offset))
                    ->source != GPUT_UNAVAILABLE)
            return true;
    return false;
}

void gput__html_figures(const struct gput__html *h, struct gput__buf *out)
{
    const struct gput_usage *u = &h->run->usage;
    struct gput__row room[GPUT__MOST_ROWS];
    struct gput__rows rows = gput__usage_rows(GPUT__DEFAULT_ROWS, room);

    gput__buf_puts(
        out, "<section aria-labelledby=\"measured\">\n<h2 id=\"measured\">How it was "
             "measured</h2>\n<p><b>Exact</b> figures are the kernel's own counts and marks. "
             "<b>Sampled</b> ones are the best of what was seen: the truth may be higher.</p>\n"
             "<details id=\"figures\"><summary>All figures, and how each is known</summary><div "
             "class=\"scroll\" role=\"region\" aria-labelledby=\"measured\" tabindex=\"0\">"
             "<table class=\"figures\"><caption class=\"sr\">All figures</caption><thead><tr>"
             "<th scope=\"col\">Figure</th><th scope=\"col\">Value</th><th scope=\"col\">Known"
             "</th><th scope=\"col\">Why not exact</th></tr></thead>\n<tbody>\n");
    write_rows(out, u, &rows);
    rows = gput__usage_rows(GPUT__FULL_ROWS, room);
    if (knows_something_of(u, &rows))
        write_rows(out, u, &rows);
    gput__buf_puts(out, "</tbody></table></div></details>\n</section>\n");
}
