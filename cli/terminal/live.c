/* live.c - the status line of --live, in the lowest row of the terminal.
 *
 * The row is kept out of what scrolls (as apt does), so that the job may print as it likes.  It is given
 * back at every end, when the job is stopped, and where the job takes the terminal for itself. */
#include "terminal/live.h"

#include "output/write.h"
#include "terminal/amounts.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

/* Faster than this no one reads. */
static const double seconds_between = 0.1;
/* A limit farther away than this is not spoken of, seconds. */
static const double longest_forecast = 24 * 3600;
enum { LOWEST_TERMINAL = 4 }; /* rows: of fewer none is spared */

/* The handler of SIGTSTP knows nothing else. */
static struct {
    volatile sig_atomic_t rows; /* of the terminal whose lowest row is ours; 0: none is */
    char give_back[40];
} reserved;

enum { MOST_PARTS = 12, PART_SIZE = 80 };

/* A line of parts; those that matter least go first where there is no room. */
struct line {
    struct {
        int matters; /* 0: it always stays */
        char text[PART_SIZE];
    } parts[MOST_PARTS];
    int n;
};

__attribute__((format(printf, 3, 4))) static void add(struct line *l, int matters, const char *fmt,
                                                      ...)
{
    va_list args;

    if (l->n == MOST_PARTS)
        return;
    va_start(args, fmt);
    vsnprintf(l->parts[l->n].text, PART_SIZE, fmt, args);
    va_end(args);
    l->parts[l->n++].matters = matters;
}

static size_t length(const struct line *l)
{
    size_t n = 0;

    for (int i = 0; i < l->n; i++)
        n += strlen(l->parts[i].text);
    return n;
}

static void shorten(struct line *l, size_t width)
{
    while (length(l) > width) {
        int least = 0;

        for (int i = 1; i < l->n; i++)
            if (l->parts[i].matters > l->parts[least].matters && l->parts[i].text[0])
                least = i;
        if (!l->parts[least].matters)
            return;
        l->parts[least].text[0] = '\0';
        l->parts[least].matters = 0;
    }
}

static void add_memory(struct line *l, const struct gput_live *now)
{
    char text[AMOUNT_SIZE];

    add(l, 0, "  RAM %s", amount_bytes(now->ram, text));
    if (!isnan(now->ram_limit))
        add(l, 2, " of %s", amount_bytes(now->ram_limit, text));
    add(l, 4, " (peak %s)", amount_bytes(now->ram_peak, text));
    if (now->seconds_to_limit < longest_forecast)
        add(l, 1, ", limit in %s", amount_span(now->seconds_to_limit, text));
}

static void add_gpus(struct line *l, const struct gput_live *now)
{
    char text[AMOUNT_SIZE];

    if (now->n_gpus <= 0)
        return;
    add(l, 3, "  GPU");
    if (!isnan(now->gpu_percent))
        add(l, 3, " %.0f %%", now->gpu_percent);
    if (!isnan(now->gpu_ram))
        add(l, 3, " %s", amount_bytes(now->gpu_ram, text));
}

void live_format(const struct gput_live *now, size_t width, char *ret, size_t size)
{
    struct line l = { .n = 0 };
    char text[AMOUNT_SIZE], *end = ret;

    add(&l, 0, "%s", amount_clock(now->elapsed, text));
    add_memory(&l, now);
    add(&l, 0, "  CPU %.0f %%", now->cpu_percent);
    add_gpus(&l, now);
    add(&l, 5, "  %d process%s", now->n_processes, now->n_processes == 1 ? "" : "es");
    shorten(&l, width);
    *ret = '\0';
    for (int i = 0; i < l.n && end < ret + size - 1; i++)
        end += snprintf(end, size - (size_t)(end - ret), "%s", l.parts[i].text);
    if (strlen(ret) > width)
        ret[width] = '\0';
}

/* --- the row -------------------------------------------------------------------------------- */

/* In one write, which the terminal takes whole: the job's own may come at any time. */
static void send(const char *text)
{
    /* NOLINTNEXTLINE(bugprone-signal-handler): it only loops over write() and poll() */
    (void)write_all(STDERR_FILENO, text, strlen(text));
}

/* Full-screen programs and editors of a line read keys one by one: the terminal is theirs. */
static bool is_taken(void)
{
    struct termios t;

    return tcgetattr(STDERR_FILENO, &t) == 0 && !(t.c_lflag & ICANON);
}

static void give_back(void)
{
    if (reserved.rows)
        send(reserved.give_back);
    reserved.rows = 0;
}

/* Ctrl-Z: the shell gets a whole terminal.  After fg the row is reserved anew. */
static void stop(int sig)
{
    int errno_before =
        errno; /* NOLINT(bugprone-signal-handler): a thread's own; the code that was interrupted may not have read it yet */
    sigset_t set;

    give_back();
    sigemptyset(&set);
    sigaddset(&set, sig);
    (void)signal(sig, SIG_DFL);
    (void)raise(sig);
    (void)sigprocmask(SIG_UNBLOCK, &set, NULL); /* it stops here */
    (void)signal(sig, stop);
    errno = errno_before;
}

static void catch_stop(void)
{
    struct sigaction now;

    if (sigaction(SIGTSTP, NULL, &now) == 0 && now.sa_handler == SIG_DFL)
        (void)signal(SIGTSTP, stop);
}

/* The cursor goes one row down and up again: where it was in the lowest row, that scrolls. */
static void reserve(int rows)
{
    char text[60];

    if (reserved.rows == rows)
        return;
    snprintf(reserved.give_back, sizeof(reserved.give_back), "\0337\033[r\033[%d;1H\033[K\0338",
             rows);
    snprintf(text, sizeof(text), "\033D\033[A\0337\033[1;%dr\0338", rows - 1);
    send(text);
    reserved.rows = rows;
    catch_stop();
}

/* Rows and columns; 0: there is no terminal that can, or it is not ours: a background job writes
 * nothing there. */
static struct winsize terminal(void)
{
    struct winsize none = { 0 }, w;
    const char *term = getenv("TERM");

    if (!isatty(STDERR_FILENO) || !term || strcmp(term, "dumb") == 0 ||
        tcgetpgrp(STDERR_FILENO) != getpgrp() || ioctl(STDERR_FILENO, TIOCGWINSZ, &w) < 0)
        return none;
    return w.ws_row < LOWEST_TERMINAL || w.ws_col < 2 ? none : w;
}

void live_show(struct live *l, const struct gput_live *now)
{
    struct winsize w = now->elapsed < l->next ? (struct winsize){ 0 } : terminal();
    char line[200], text[240];

    if (w.ws_row == 0)
        return;
    l->next = now->elapsed + seconds_between;
    if (is_taken()) {
        if (reserved.rows)
            send("\0337\033[r\0338"); /* what is in the row now may be the job's */
        reserved.rows = 0;
        return;
    }
    reserve(w.ws_row);
    /* A full last column makes some terminals go to the next line. */
    live_format(now, w.ws_col - 1u, line, sizeof(line));
    snprintf(text, sizeof(text), "\0337\033[%d;1H\033[m\033[K%s\0338", w.ws_row, line);
    send(text);
}

void live_end(void)
{
    if (terminal().ws_row)
        give_back();
    reserved.rows = 0;
}
