/* draw.h - draws a run on the full screen. */
#ifndef CLI_TOP_DRAW_H
#define CLI_TOP_DRAW_H

#include "top/curses.h"
#include "top/history.h"
#include "top/keys.h"

#if TOP_HAS_CURSES
/* The screen, and where things are on it. */
struct top_canvas {
    const struct top_curses *curses;
    WINDOW *window;
    int rows, columns;
    bool has_colour, has_utf8;
    int table_at; /* the row of the first process */
};

enum top_colour { TOP_PLAIN, TOP_GREEN, TOP_RED, TOP_CYAN, TOP_YELLOW, TOP_BLUE };

struct top_picture {
    const struct top_model *model;
    const struct top_history *history;
    const char *command;
    const struct top_row *rows;
    int n_rows, job, n_jobs;
    const char *note; /* why there are no figures; NULL: there are */
};

/* How many processes there is room for. */
int top_draw_room(const struct top_canvas *c, const struct top_picture *p);
void top_draw(struct top_canvas *c, const struct top_picture *p, const struct top_ui *ui);
#endif

#endif
