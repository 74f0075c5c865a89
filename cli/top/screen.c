/* screen.c - `top` on the full screen: the terminal, and the loop that waits for keys and figures. */
#include "top/screen.h"

#include "output/exit_codes.h"
#include "output/say.h"
#include "terminal/terminal.h"
#include "top/draw.h"

#include <errno.h>
#include <langinfo.h>
#include <locale.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#if !TOP_HAS_CURSES
int top_screen_begin(const char **ret_why)
{
    *ret_why = "it was built without ncurses";
    return -ENOSYS;
}

int top_screen(struct top_source *sources, int n, double interval)
{
    (void)sources, (void)n, (void)interval;
    return EXIT_FAILED;
}
#else

/* A terminal that is gone is always readable, and nothing is ever read. */
enum { MOST_EMPTY_READS = 20, MOST_KEYS = 200 };

static volatile sig_atomic_t is_asked_to_end;
static const struct top_curses *curses;

static void ask_to_end(int sig)
{
    (void)sig;
    is_asked_to_end = 1;
}

int top_screen_begin(const char **ret_why)
{
    const char *term = getenv("TERM");

    *ret_why = NULL;
    if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO))
        return -ENOTTY; /* into a pipe pages are what is wanted */
    if (!term || !*term || strcmp(term, "dumb") == 0) {
        *ret_why = "this terminal has no full screen";
        return -ENOTTY;
    }
    curses = top_curses_load();
    if (!curses)
        *ret_why = "libncursesw.so.6 was not found; install it (libncursesw6 on Debian and Ubuntu)";
    return curses ? 0 : -ENOENT;
}

/* --- the terminal ------------------------------------------------------------------------------ */

/* ncurses asks the locale which characters there are. */
static bool choose_letters(void)
{
    bool wants = terminal_has_utf8();

    if (!setlocale(LC_CTYPE, "") || (wants && strcmp(nl_langinfo(CODESET), "UTF-8") != 0))
        (void)setlocale(LC_CTYPE, "C.UTF-8");
    return wants && strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
}

static void choose_colours(struct top_canvas *c)
{
    static const short colours[] = { [TOP_GREEN] = COLOR_GREEN,
                                     [TOP_RED] = COLOR_RED,
                                     [TOP_CYAN] = COLOR_CYAN,
                                     [TOP_YELLOW] = COLOR_YELLOW,
                                     [TOP_BLUE] = COLOR_BLUE };

    c->has_colour = terminal_has_colour() && curses->has_colours();
    if (!c->has_colour)
        return;
    (void)curses->start_colour();
    (void)curses->default_colours();
    for (int i = TOP_GREEN; i <= TOP_BLUE; i++)
        (void)curses->pair((short)i, colours[i], -1);
}

static void measure(struct top_canvas *c)
{
    struct winsize w;

    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &w) < 0 || !w.ws_row || !w.ws_col)
        w = (struct winsize){ .ws_row = 24, .ws_col = 80 };
    if (w.ws_row == c->rows && w.ws_col == c->columns)
        return;
    c->rows = w.ws_row;
    c->columns = w.ws_col;
    if (!c->window)
        return;
    (void)curses->resize_terminal(c->rows, c->columns);
    (void)curses->resize(c->window, c->rows, c->columns);
    (void)curses->redraw(c->window, true);
}

static int open_terminal(struct top_canvas *c)
{
    *c = (struct top_canvas){ .curses = curses, .has_utf8 = choose_letters() };
    measure(c);
    if (!curses->new_terminal(NULL, stdout, stdin))
        return -ENOTTY;
    c->window = curses->new_window(0, 0, 0, 0);
    if (!c->window) {
        (void)curses->end();
        return -ENOMEM;
    }
    choose_colours(c);
    (void)curses->cbreak();
    (void)curses->no_echo();
    (void)curses->cursor(0);
    (void)curses->escape_delay(25);
    (void)curses->keypad(c->window, true);
    curses->timeout(c->window, 0);
    (void)curses->mouse(BUTTON1_CLICKED | BUTTON1_PRESSED | BUTTON4_PRESSED | BUTTON5_PRESSED,
                        NULL);
    return 0;
}

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
    top_settle(&j->ui, rows, j->n_rows);
    return 0;
}

static void look(struct job *j)
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
    int n_empty;
};

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void draw(struct loop *l)
{
    struct job *j = &l->jobs[l->at];
    struct top_picture p = { .model = &j->model,
                             .history = &j->history,
                             .command = j->source->command,
                             .job = l->at,
                             .n_jobs = l->n,
                             .note = j->has_figures ? NULL : j->note };

    measure(&l->canvas);
    j->ui.page = top_draw_room(&l->canvas, &p);
    if (j->has_figures && make_rows(j) == 0) {
        p.rows = j->rows;
        p.n_rows = j->n_rows;
    }
    top_draw(&l->canvas, &p, &j->ui);
}

static void click(struct loop *l, struct job *j)
{
    MEVENT e;

    if (curses->mouse_event(&e) != OK)
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

/* False: the terminal is gone. */
static bool read_keys(struct loop *l, bool is_readable)
{
    int key, n = 0;

    while (n < MOST_KEYS && !is_asked_to_end && (key = curses->key(l->canvas.window)) != ERR) {
        handle_key(l, key);
        n++;
    }
    l->n_empty = n || !is_readable ? 0 : l->n_empty + 1;
    return l->n_empty < MOST_EMPTY_READS;
}

/* Until a key or a signal comes, or it is time to look. */
static bool wait_for_key(struct loop *l, double until)
{
    struct pollfd in = { .fd = STDIN_FILENO, .events = POLLIN };
    double left = until - now();
    int r = poll(&in, 1, left > 0 ? (int)(left * 1000) + 1 : 0);

    if (r > 0 && (in.revents & (POLLHUP | POLLERR | POLLNVAL)))
        return false;
    return read_keys(l, r > 0);
}

static void follow(struct loop *l)
{
    double next = now();
    bool is_there = true;

    while (is_there && !is_asked_to_end && !l->jobs[l->at].ui.quits) {
        struct job *j = &l->jobs[l->at];

        if (now() >= next) {
            for (int i = 0; i < l->n; i++)
                if (!l->jobs[i].ui.is_paused)
                    look(&l->jobs[i]);
            /* The first figures come soon, and are not waited for as long. */
            next = now() + (j->has_figures || j->is_over ? l->interval : 0.05);
        }
        draw(l);
        is_there = wait_for_key(l, next);
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
    static const int ends[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };
    struct sigaction end = { .sa_handler = ask_to_end };

    if (!l.jobs)
        return EXIT_FAILED;
    for (int i = 0; i < n; i++) {
        l.jobs[i].source = &sources[i];
        l.jobs[i].note = "waiting for the tracker ...";
    }
    if (open_terminal(&l.canvas) < 0) {
        free_jobs(&l);
        say("top: the terminal '%s' is not known; --plain prints pages", getenv("TERM"));
        return EXIT_FAILED;
    }
    for (size_t i = 0; i < sizeof(ends) / sizeof(*ends); i++)
        (void)sigaction(ends[i], &end, NULL);
    follow(&l);
    (void)curses->end();
    free_jobs(&l);
    return 0;
}
#endif
