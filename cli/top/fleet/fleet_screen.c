/* fleet_screen.c - `top DIR` on the full screen: a grid of ranks. */
#include "top/fleet/fleet_screen.h"

#include "output/exit_codes.h"
#include "top/fleet/cells.h"
#include "top/fleet/fleet_head.h"
#include "top/fleet/fleet_keys.h"
#include "top/shared/window.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if !TOP_HAS_CURSES
int top_fleet_screen(struct top_fleet *fleet, double interval)
{
    (void)fleet, (void)interval;
    return EXIT_FAILED;
}
#else

/* Lines of failed ranks, and of such that stand apart, on a low terminal and on a high one. */
enum { ROWS_FOR_MORE = 36, FEW_OF_A_KIND = 1, MORE_OF_A_KIND = 3 };
/* Below the grid: the selected rank, the keys. */
enum { ROWS_BELOW = 2 };

struct view {
    struct top_canvas canvas;
    struct top_fleet *fleet;
    struct top_fleet_ui ui;
    const struct gput_fleet_job *job; /* NULL: there is none yet */
    const struct gput_fleet_rank **ranks;
    int n;
    struct top_cells cells;
    struct top_head head;
};

/* --- what is shown ----------------------------------------------------------------------------- */

static double memory_of(const struct gput_fleet_rank *r)
{
    return r->ram_peak;
}

static double cpu_of(const struct gput_fleet_rank *r)
{
    return r->cpu_percent;
}

static double time_of(const struct gput_fleet_rank *r)
{
    return r->elapsed;
}

static void choose_cells(struct view *v)
{
    enum top_rank_order order = v->ui.wish.order;

    v->cells = (struct top_cells){ .has_gpu = v->job->gpu_seconds_held > 0,
                                   .has_utf8 = v->canvas.has_utf8,
                                   .is_map = v->ui.is_map,
                                   .value = order == TOP_RANKS_BY_CPU    ? cpu_of
                                            : order == TOP_RANKS_BY_TIME ? time_of
                                                                         : memory_of };
    for (int i = 0; i < v->job->n_ranks; i++)
        v->cells.full = fmax(v->cells.full, v->cells.value(&v->job->ranks[i]));
}

/* The job whose title it is, else the first one. */
static int place_of_job(const struct view *v)
{
    for (int i = 0; i < v->fleet->n; i++)
        if (strcmp(v->fleet->jobs[i].title, v->ui.job) == 0)
            return i;
    return 0;
}

static void choose_job(struct view *v)
{
    int at = place_of_job(v);

    v->job = NULL;
    v->n = 0;
    if (v->fleet->n == 0)
        return;
    if (v->ui.wants_next)
        at = (at + 1) % v->fleet->n;
    v->ui.wants_next = false;
    v->job = &v->fleet->jobs[at];
    snprintf(v->ui.job, sizeof(v->ui.job), "%s", v->job->title);
}

/* After the folder was read, a key came or the screen has another size. */
static void arrange(struct view *v)
{
    const struct gput_fleet_rank **ranks;
    int most = v->canvas.rows < ROWS_FOR_MORE ? FEW_OF_A_KIND : MORE_OF_A_KIND;

    choose_job(v);
    if (!v->job)
        return;
    ranks = realloc(v->ranks, ((size_t)v->job->n_ranks + 1) * sizeof(*ranks));
    if (!ranks)
        return;
    v->ranks = ranks;
    v->n = top_ranks_make(v->job, &v->ui.wish, ranks);
    choose_cells(v);
    top_fleet_head_write(v->fleet, v->job, most, &v->head);
    v->ui.across = top_cells_across(&v->cells, v->canvas.columns - 1);
    v->ui.page = v->canvas.rows - v->head.n - 1 - ROWS_BELOW;
    if (v->ui.page < 1)
        v->ui.page = 1;
    top_fleet_follow(&v->ui, ranks, v->n);
}

/* --- drawing ----------------------------------------------------------------------------------- */

static int attributes_of(const struct top_canvas *c, const struct gput_fleet_rank *r)
{
    static const enum top_colour colours[GPUT_RANK_STATES] = {
        [GPUT_RANK_MISSING] = TOP_RED,   [GPUT_RANK_FAILED] = TOP_RED,
        [GPUT_RANK_SILENT] = TOP_YELLOW, [GPUT_RANK_RUNNING] = TOP_GREEN,
        [GPUT_RANK_ENDED] = TOP_PLAIN,
    };

    return top_attribute(c, r->apart[0] ? TOP_YELLOW : colours[r->state], 0);
}

static void draw_titles(struct view *v, int row)
{
    int step = top_cell_width(&v->cells) + TOP_CELL_GAP, n = 0;
    char text[TOP_CELL_SIZE], line[TOP_ROW_SIZE] = "";

    top_cell_head(&v->cells, text);
    for (int i = 0; i < v->ui.across && n + step < TOP_ROW_SIZE && text[0]; i++)
        n += snprintf(line + n, sizeof(line) - (size_t)n, "%s%*s", text, TOP_CELL_GAP, "");
    if (v->cells.is_map)
        snprintf(line, sizeof(line), "each rank's %s",
                 v->cells.value == cpu_of    ? "CPU use"
                 : v->cells.value == time_of ? "time"
                                             : "memory");
    top_put_bar(&v->canvas, row, (int)A_REVERSE, line);
}

static void draw_cells(struct view *v, int row)
{
    struct top_canvas *c = &v->canvas;
    int step = top_cell_width(&v->cells) + (v->cells.is_map ? 0 : TOP_CELL_GAP);
    int from = v->ui.first * v->ui.across, to = from + v->ui.page * v->ui.across;
    char text[TOP_CELL_SIZE];

    c->table_at = row;
    for (int i = from; i < to && i < v->n; i++) {
        int more = i == v->ui.at ? (int)(A_REVERSE | A_BOLD) : 0;

        top_cell_write(&v->cells, v->ranks[i], text);
        top_put(c, row + (i - from) / v->ui.across, i % v->ui.across * step, step,
                attributes_of(c, v->ranks[i]) | more, text);
    }
}

static void draw_foot(struct view *v)
{
    const struct top_fleet_ui *ui = &v->ui;
    char text[TOP_ROW_SIZE], jobs[40] = "";

    if (v->fleet->n > 1)
        snprintf(jobs, sizeof(jobs), "job %d of %d (Tab)  ", place_of_job(v) + 1, v->fleet->n);
    if (ui->prompt.what)
        top_prompt_write(&ui->prompt, text, sizeof(text));
    else
        snprintf(text, sizeof(text), "%s%s%s%s%s%s", ui->is_paused ? "PAUSED  " : "", jobs,
                 ui->wish.filter[0] ? "filter " : "", ui->wish.filter,
                 ui->wish.filter[0] ? "  " : "", top_fleet_keys_line);
    top_put_bar(&v->canvas, v->canvas.rows - 1, (int)A_REVERSE, text);
}

static void draw_job(struct view *v)
{
    struct top_canvas *c = &v->canvas;
    char text[TOP_ROW_SIZE] = "";

    for (int i = 0; i < v->head.n; i++)
        top_put(c, i, 0, c->columns,
                v->head.lines[i].is_alarming ? top_attribute(c, TOP_RED, (int)A_BOLD)
                : i                          ? 0
                                             : (int)A_BOLD,
                v->head.lines[i].text);
    draw_titles(v, v->head.n);
    draw_cells(v, v->head.n + 1);
    if (v->fleet->why[0])
        snprintf(text, sizeof(text), "%s", v->fleet->why);
    else if (v->n > 0)
        top_cell_words(v->ranks[v->ui.at], text, (int)sizeof(text));
    top_put(c, c->rows - ROWS_BELOW, 0, c->columns, 0, text);
}

static void draw(struct view *v)
{
    struct top_canvas *c = &v->canvas;

    (void)c->curses->erase(c->window);
    if (c->rows < TOP_FEWEST_ROWS || c->columns < TOP_FEWEST_COLUMNS) {
        top_put(c, 0, 0, c->columns, 0, "the terminal is too small; q leaves");
    } else if (v->ui.has_help) {
        for (int i = 0; top_fleet_help[i]; i++)
            top_put(c, i + 1, 2, c->columns, 0, top_fleet_help[i]);
    } else {
        if (v->job)
            draw_job(v);
        else
            top_put(c, 0, 0, c->columns, 0, v->fleet->why);
        draw_foot(v);
    }
    (void)c->curses->refresh(c->window);
}

/* --- the loop ---------------------------------------------------------------------------------- */

static void click(struct view *v)
{
    struct top_canvas *c = &v->canvas;
    int step = top_cell_width(&v->cells) + (v->cells.is_map ? 0 : TOP_CELL_GAP), line, column;
    MEVENT e;

    if (c->curses->mouse_event(&e) != OK)
        return;
    line = e.y - c->table_at;
    column = e.x / step;
    if (e.bstate & (BUTTON4_PRESSED | BUTTON5_PRESSED))
        top_fleet_key(&v->ui, e.bstate & BUTTON4_PRESSED ? KEY_UP : KEY_DOWN, v->ranks, v->n);
    else if (line >= 0 && line < v->ui.page && column < v->ui.across)
        top_fleet_select(&v->ui, (v->ui.first + line) * v->ui.across + column, v->ranks, v->n);
}

static void read_keys(struct view *v)
{
    int key;

    while ((key = top_window_key(&v->canvas)) != ERR) {
        if (key == KEY_MOUSE)
            click(v);
        else if (key != KEY_RESIZE)
            top_fleet_key(&v->ui, key, v->ranks, v->n);
        arrange(v);
    }
}

static void follow(struct view *v, double interval)
{
    double next = top_window_now();
    bool is_there = true;

    while (is_there && !v->ui.quits) {
        if (top_window_now() >= next) {
            if (!v->ui.is_paused)
                top_fleet_read(v->fleet);
            next = top_window_now() + interval;
        }
        top_window_measure(&v->canvas);
        arrange(v);
        draw(v);
        is_there = top_window_wait(&v->canvas, next);
        if (is_there)
            read_keys(v);
    }
}

int top_fleet_screen(struct top_fleet *fleet, double interval)
{
    struct view v = { .fleet = fleet };

    if (top_window_open(&v.canvas) < 0)
        return EXIT_FAILED;
    follow(&v, interval);
    top_window_close(&v.canvas);
    free(v.ranks);
    return 0;
}
#endif
