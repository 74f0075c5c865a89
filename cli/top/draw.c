/* draw.c - draws a run on the full screen: head, charts, processes, keys. */
#include "top/draw.h"

#if TOP_HAS_CURSES
#include "terminal/amounts.h"
#include "top/head.h"
#include "top/table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Rows of a terminal that has room for charts, and for high ones. */
enum { ROWS_FOR_CHARTS = 20, ROWS_FOR_HIGH = 36 };
static const double minutes_shown = 5;

/* --- charts ------------------------------------------------------------------------------------ */

static const struct chart {
    const char *name;
    enum top_colour colour;
    bool is_bytes, is_rate;
} charts[TOP_N_SERIES] = {
    [TOP_RAM] = { "RAM", TOP_GREEN, true, false },
    [TOP_CPU] = { "CPU", TOP_CYAN, false, true },
    [TOP_GPU_USE] = { "GPU", TOP_YELLOW, false, true },
    [TOP_GPU_RAM] = { "GPU memory", TOP_BLUE, true, false },
    [TOP_DISK_READ] = { "reads/s", TOP_CYAN, true, true },
    [TOP_DISK_WRITE] = { "writes/s", TOP_YELLOW, true, true },
    [TOP_NET_RECEIVED] = { "received/s", TOP_CYAN, true, true },
    [TOP_NET_SENT] = { "sent/s", TOP_YELLOW, true, true },
};

/* Where the charts are. */
struct grid {
    int n, across, down; /* charts; beside and above each other */
    int width, height;   /* of one, with its title */
    int series[TOP_N_SERIES];
};

static int list_known(const struct top_history *h, int ret[TOP_N_SERIES])
{
    int n = 0;

    for (int s = 0; s < TOP_N_SERIES; s++)
        if (h->is_known[s])
            ret[n++] = s;
    return n;
}

/* From the chart on that was asked for, where there is no room for all. */
static struct grid lay_out(const struct top_canvas *c, const struct top_history *h, int from)
{
    struct grid g = { .n = 0 };
    int known[TOP_N_SERIES];

    if (c->rows < ROWS_FOR_CHARTS || h->n < 2)
        return g;
    g.n = list_known(h, known);
    for (int i = 0; i < g.n; i++)
        g.series[i] = known[(i + from) % g.n];
    g.across = c->columns >= 150 ? 3 : 2;
    if (g.across > g.n)
        g.across = g.n;
    g.down = c->rows < ROWS_FOR_HIGH || !g.n ? 1 : (g.n + g.across - 1) / g.across;
    if (g.n > g.across * g.down)
        g.n = g.across * g.down;
    g.width = g.n ? c->columns / g.across - 1 : 0;
    g.height = c->rows < ROWS_FOR_HIGH ? 3 : c->rows / 9 + 1;
    return g;
}

static double full_of(const struct gput_live *l, int series)
{
    double full = series == TOP_CPU       ? 100 * l->cores
                  : series == TOP_GPU_USE ? 100.0 * l->n_gpus
                  : series == TOP_GPU_RAM ? l->gpu_ram_capacity
                                          : 0;

    return isnan(full) ? 0 : full;
}

static void say_value(const struct chart *d, double value, char ret[AMOUNT_SIZE])
{
    if (d->is_bytes)
        amount_bytes(value, ret);
    else
        snprintf(ret, AMOUNT_SIZE, isnan(value) ? "?" : "%.0f %%", value);
}

static void write_title(const struct chart *d, const double *values, size_t n, double seconds,
                        char ret[200])
{
    char now[AMOUNT_SIZE], most[AMOUNT_SIZE], span[AMOUNT_SIZE];
    double max = NAN;

    for (size_t i = 0; i < n; i++)
        max = isnan(max) || values[i] > max ? values[i] : max;
    say_value(d, values[n - 1], now);
    say_value(d, max, most);
    snprintf(ret, 200, "%s %s, most %s in %s", d->name, now, most, amount_span(seconds, span));
}

static void draw_chart(struct top_canvas *c, const struct top_picture *p, const struct grid *g,
                       int i, int top, bool is_whole_run)
{
    const struct top_history *h = p->history;
    const struct chart *d = &charts[g->series[i]];
    double end = h->time[h->n - 1], start = end - 60 * minutes_shown;
    int row = top + i / g->across * g->height, column = i % g->across * (g->width + 1);
    struct gput_chart chart = { .full = full_of(&p->model->view.live, g->series[i]),
                                .width = g->width,
                                .rows = g->height - 1,
                                .is_rate = d->is_rate,
                                .use_unicode = c->has_utf8 };
    char title[200], *text = NULL;
    size_t from = 0;

    if (is_whole_run || start < h->time[0])
        start = h->time[0];
    while (from + 1 < h->n && h->time[from] < start)
        from++;
    write_title(d, h->value[g->series[i]] + from, h->n - from, end - start, title);
    top_put(c, row, column, g->width, (int)A_BOLD, title);
    chart.start = start;
    chart.end = end;
    if (gput_chart_text(h->time + from, h->value[g->series[i]] + from, h->n - from, &chart, &text) <
        0)
        return;
    for (char *line = text, *next; line && *line; line = next) {
        next = strchr(line, '\n');
        if (next)
            *next++ = '\0';
        top_put(c, ++row, column, g->width, top_attribute(c, d->colour, 0), line);
    }
    free(text);
}

/* --- the whole --------------------------------------------------------------------------------- */

static int head_rows(const struct top_picture *p, struct top_head *ret)
{
    top_head_write(p->model, p->command, ret);
    return ret->n;
}

int top_draw_room(const struct top_canvas *c, const struct top_picture *p, const struct top_ui *ui)
{
    struct grid g = lay_out(c, p->history, ui->first_chart);
    struct top_head head;
    int room;

    if (p->note)
        return 0;
    room = c->rows - head_rows(p, &head) - g.down * (g.n ? g.height : 0) - 3;
    return room < 1 ? 1 : room;
}

static void draw_table(struct top_canvas *c, const struct top_picture *p, const struct top_ui *ui,
                       int row)
{
    struct top_columns columns = { .width = c->columns - 1,
                                   .has_gpu = p->model->view.live.n_gpus > 0,
                                   .is_flat = ui->wish.order != TOP_TREE || ui->wish.filter[0] };
    char text[TOP_ROW_SIZE];

    top_table_head(&columns, text);
    top_put_bar(c, row++, (int)A_REVERSE, text);
    c->table_at = row;
    for (int i = ui->first; i < p->n_rows && row < c->rows - 2; i++, row++) {
        top_table_process(&columns, p->rows[i].process, p->rows[i].is_folded, text);
        if (i == ui->at)
            top_put_bar(c, row, (int)A_BOLD | top_attribute(c, TOP_CYAN, (int)A_REVERSE), text);
        else
            top_put(c, row, 0, c->columns, 0, text);
    }
    if (top_table_exited(&columns, p->model, text))
        top_put(c, c->rows - 2, 0, c->columns, (int)A_DIM, text);
}

static void draw_foot(struct top_canvas *c, const struct top_picture *p, const struct top_ui *ui)
{
    char text[TOP_ROW_SIZE];

    if (ui->prompt.what)
        top_prompt_write(&ui->prompt, text, sizeof(text));
    else if (p->n_jobs > 1)
        snprintf(text, sizeof(text), "%sjob %d of %d (Tab)  %s", ui->is_paused ? "PAUSED  " : "",
                 p->job + 1, p->n_jobs, top_keys_line);
    else
        snprintf(text, sizeof(text), "%s%s%s%s%s", ui->is_paused ? "PAUSED  " : "",
                 ui->wish.filter[0] ? "filter " : "", ui->wish.filter,
                 ui->wish.filter[0] ? "  " : "", top_keys_line);
    top_put_bar(c, c->rows - 1, (int)A_REVERSE, text);
}

static void draw_help(struct top_canvas *c)
{
    for (int i = 0; top_help[i]; i++)
        top_put(c, i + 1, 2, c->columns, 0, top_help[i]);
}

static void draw_run(struct top_canvas *c, const struct top_picture *p, const struct top_ui *ui)
{
    struct grid g = lay_out(c, p->history, ui->first_chart);
    struct top_head head;
    int row = head_rows(p, &head);

    for (int i = 0; i < head.n; i++)
        top_put(c, i, 0, c->columns,
                head.lines[i].is_alarming ? top_attribute(c, TOP_RED, (int)A_BOLD)
                : i                       ? 0
                                          : (int)A_BOLD,
                head.lines[i].text);
    for (int i = 0; i < g.n; i++)
        draw_chart(c, p, &g, i, row, ui->is_whole_run);
    draw_table(c, p, ui, row + (g.n ? g.down * g.height : 0));
}

void top_draw(struct top_canvas *c, const struct top_picture *p, const struct top_ui *ui)
{
    (void)c->curses->erase(c->window);
    if (c->rows < TOP_FEWEST_ROWS || c->columns < TOP_FEWEST_COLUMNS) {
        top_put(c, 0, 0, c->columns, 0, "the terminal is too small; q leaves");
    } else if (ui->has_help) {
        draw_help(c);
    } else {
        if (p->note)
            top_put(c, 0, 0, c->columns, 0, p->note);
        else
            draw_run(c, p, ui);
        draw_foot(c, p, ui);
    }
    (void)c->curses->refresh(c->window);
}
#endif
