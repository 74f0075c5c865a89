/* window.h - the terminal as a full screen: opened, measured, written to, and its keys. */
#ifndef CLI_TOP_WINDOW_H
#define CLI_TOP_WINDOW_H

#include "top/shared/curses.h"

/* Whether the terminal can show it: it is one, for input too, is not "dumb", and ncurses is there.  Else
 * `ret_why` says what is missing. */
int top_screen_begin(const char **ret_why);

#if TOP_HAS_CURSES
enum { TOP_FEWEST_ROWS = 8, TOP_FEWEST_COLUMNS = 40 };

/* The screen, and where things are on it. */
struct top_canvas {
    const struct top_curses *curses;
    WINDOW *window;
    int rows, columns;
    bool has_colour, has_utf8;
    int table_at;         /* the row of the first process */
    int n_empty, n_typed; /* reads in a row that brought no key; keys since the last wait */
};

enum top_colour { TOP_PLAIN, TOP_GREEN, TOP_RED, TOP_CYAN, TOP_YELLOW, TOP_BLUE };

/* After top_screen_begin().  Nonzero: it has been said what is wrong. */
int top_window_open(struct top_canvas *c);
void top_window_close(struct top_canvas *c);
/* The terminal may have another size now. */
void top_window_measure(struct top_canvas *c);

/* Seconds of a clock that always goes on. */
double top_window_now(void);
/* Until a key or a signal comes, or until that moment.  False: the terminal is gone, or somebody asked
 * us to end. */
bool top_window_wait(struct top_canvas *c, double until);
/* The next key that was typed, ERR: there is none. */
int top_window_key(struct top_canvas *c);

/* --- writing ----------------------------------------------------------------------------------- */

int top_attribute(const struct top_canvas *c, enum top_colour colour, int more);
void top_put(struct top_canvas *c, int row, int column, int width, int attributes,
             const char *text);
/* The whole width, so that its background is. */
void top_put_bar(struct top_canvas *c, int row, int attributes, const char *text);
#endif

#endif
