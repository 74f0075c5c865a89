/* window.c - the terminal as a full screen. */
#include "top/shared/window.h"

#include "output/say.h"
#include "terminal/terminal.h"
#include "top/shared/lines.h"

#include <errno.h>
#include <langinfo.h>
#include <locale.h>
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

void top_window_measure(struct top_canvas *c)
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
    top_window_measure(c);
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

int top_window_open(struct top_canvas *c)
{
    static const int ends[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };
    struct sigaction end = { .sa_handler = ask_to_end };
    int r = open_terminal(c);

    if (r < 0) {
        say("top: the terminal '%s' is not known; --plain prints pages", getenv("TERM"));
        return r;
    }
    for (size_t i = 0; i < sizeof(ends) / sizeof(*ends); i++)
        (void)sigaction(ends[i], &end, NULL);
    return 0;
}

void top_window_close(struct top_canvas *c)
{
    (void)c->curses->end();
}

/* --- keys -------------------------------------------------------------------------------------- */

double top_window_now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

bool top_window_wait(struct top_canvas *c, double until)
{
    struct pollfd in = { .fd = STDIN_FILENO, .events = POLLIN };
    double left = until - top_window_now();
    int r = poll(&in, 1, left > 0 ? (int)(left * 1000) + 1 : 0);

    if (r > 0 && (in.revents & (POLLHUP | POLLERR | POLLNVAL)))
        return false;
    c->n_typed = 0;
    c->n_empty = r > 0 ? c->n_empty + 1 : 0;
    return c->n_empty < MOST_EMPTY_READS && !is_asked_to_end;
}

int top_window_key(struct top_canvas *c)
{
    int key = c->n_typed < MOST_KEYS && !is_asked_to_end ? c->curses->key(c->window) : ERR;

    if (key == ERR)
        return ERR;
    c->n_typed++;
    c->n_empty = 0;
    return key;
}

/* --- writing ----------------------------------------------------------------------------------- */

int top_attribute(const struct top_canvas *c, enum top_colour colour, int more)
{
    if (c->has_colour && colour)
        return (int)(NCURSES_BITS((chtype)colour, 0) & A_COLOR) | more;
    return colour == TOP_RED ? (int)A_BOLD | more : more;
}

void top_put(struct top_canvas *c, int row, int column, int width, int attributes, const char *text)
{
    char line[TOP_ROW_SIZE];

    if (row < 0 || row >= c->rows || column >= c->columns)
        return;
    top_fit(text, width < c->columns - column ? width : c->columns - column, line);
    (void)c->curses->move(c->window, row, column);
    (void)c->curses->attributes(c->window, attributes);
    (void)c->curses->add(c->window, line, -1);
    (void)c->curses->attributes(c->window, (int)A_NORMAL);
}

void top_put_bar(struct top_canvas *c, int row, int attributes, const char *text)
{
    char line[TOP_ROW_SIZE];
    int n = snprintf(line, sizeof(line), "%s", text);

    while (n < c->columns - 1 && n < TOP_ROW_SIZE - 1)
        line[n++] = ' ';
    line[n < TOP_ROW_SIZE ? n : TOP_ROW_SIZE - 1] = '\0';
    top_put(c, row, 0, c->columns - 1, attributes, line);
}
#endif
