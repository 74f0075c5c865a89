/* screen.c - `top` on the full screen: the loop that waits for keys and figures. */
#include "top/screen.h"

#include "output/exit_codes.h"
#include "top/draw.h"

#include <errno.h>
#include <stdlib.h>

#if !TOP_HAS_CURSES
int top_screen(struct top_source *sources, int n, double interval)
{
    (void)sources, (void)n, (void)interval;
    return EXIT_FAILED;
}
#else

/* --- the runs ---------------------------------------------------------------------------------- */

struct job {
    struct top_source *source;
    struct top_model model;
    struct top_history history;
    struct top_row *rows;
    int n_rows;
    struct top_ui ui;
    bool has_figures, is_over;
    const char *note;
};

static int make_rows(struct job *j)
{
    struct top_row *rows = realloc(j->rows, ((size_t)j->model.n + 1) * sizeof(*rows));

    if (!rows)
        return -ENOMEM;
    j->rows = rows;
    j->n_rows = top_rows_make(&j->model, &j->ui.wish, rows);
    top_follow(&j->ui, rows, j->n_rows);
    return 0;
}

static void read_job(struct job *j)
{
    struct gput_view view = { .size = sizeof(view) };
    int r;

    if (j->is_over)
        return;
    r = gput_viewer_read(j->source->viewer, &view);
    if (r == 0)
        r = top_model_update(&j->model, &view);
    if (r == 0) {
        j->has_figures = true;
        j->note = NULL;
        j->is_over = view.state != GPUT_VIEW_RUNNING;
        top_history_add(&j->history, &view);
        return;
    }
    j->is_over = r != -EAGAIN;
    j->note = r == -EAGAIN   ? "waiting for the tracker ..."
              : r == -ESRCH  ? "it has ended; q leaves"
              : r == -EPROTO ? "its tracker is of another version of gpu-tracker; q leaves"
                             : "its tracker cannot be read; q leaves";
}

/* --- the loop ---------------------------------------------------------------------------------- */

struct loop {
    struct top_canvas canvas;
    struct job *jobs;
    int n, at;
    double interval;
};

static void draw(struct loop *l)
{
    struct job *j = &l->jobs[l->at];
    struct top_picture p = { .model = &j->model,
                             .history = &j->history,
                             .command = j->source->command,
                             .job = l->at,
                             .n_jobs = l->n,
                             .note = j->has_figures ? NULL : j->note };

    top_window_measure(&l->canvas);
    j->ui.page = top_draw_room(&l->canvas, &p, &j->ui);
    if (j->has_figures && make_rows(j) == 0) {
        p.rows = j->rows;
        p.n_rows = j->n_rows;
    }
    top_draw(&l->canvas, &p, &j->ui);
}

static void click(struct loop *l, struct job *j)
{
    MEVENT e;

    if (l->canvas.curses->mouse_event(&e) != OK)
        return;
    if (e.bstate & BUTTON4_PRESSED)
        top_key(&j->ui, KEY_UP, j->rows, j->n_rows);
    else if (e.bstate & BUTTON5_PRESSED)
        top_key(&j->ui, KEY_DOWN, j->rows, j->n_rows);
    else if (e.y >= l->canvas.table_at && e.y - l->canvas.table_at < j->ui.page)
        top_select(&j->ui, j->ui.first + e.y - l->canvas.table_at, j->rows, j->n_rows);
}

static void handle_key(struct loop *l, int key)
{
    struct job *j = &l->jobs[l->at];

    if (key == KEY_MOUSE)
        click(l, j);
    else if (key != KEY_RESIZE)
        top_key(&j->ui, key, j->rows, j->n_rows);
    if (j->ui.next_job) {
        j->ui.next_job = 0;
        l->at = (l->at + 1) % l->n;
    }
    if (j->has_figures)
        (void)make_rows(j);
}

static void follow(struct loop *l)
{
    double next = top_window_now();
    bool is_there = true;

    while (is_there && !l->jobs[l->at].ui.quits) {
        struct job *j = &l->jobs[l->at];
        int key;

        if (top_window_now() >= next) {
            for (int i = 0; i < l->n; i++)
                if (!l->jobs[i].ui.is_paused)
                    read_job(&l->jobs[i]);
            /* The first figures come soon, and are not waited for as long. */
            next = top_window_now() + (j->has_figures || j->is_over ? l->interval : 0.05);
        }
        draw(l);
        is_there = top_window_wait(&l->canvas, next);
        while (is_there && (key = top_window_key(&l->canvas)) != ERR)
            handle_key(l, key);
    }
}

static void free_jobs(struct loop *l)
{
    for (int i = 0; l->jobs && i < l->n; i++) {
        top_model_free(&l->jobs[i].model);
        free(l->jobs[i].rows);
    }
    free(l->jobs);
}

int top_screen(struct top_source *sources, int n, double interval)
{
    struct loop l = { .jobs = calloc((size_t)n, sizeof(*l.jobs)), .n = n, .interval = interval };
    int r;

    if (!l.jobs)
        return EXIT_FAILED;
    for (int i = 0; i < n; i++) {
        l.jobs[i].source = &sources[i];
        l.jobs[i].note = "waiting for the tracker ...";
    }
    r = top_window_open(&l.canvas);
    if (r == 0) {
        follow(&l);
        top_window_close(&l.canvas);
    }
    free_jobs(&l);
    return r == 0 ? 0 : EXIT_FAILED;
}
#endif
