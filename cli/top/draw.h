/* draw.h - draws a run on the full screen. */
#ifndef CLI_TOP_DRAW_H
#define CLI_TOP_DRAW_H

#include "top/history.h"
#include "top/keys.h"
#include "top/shared/window.h"

#if TOP_HAS_CURSES
struct top_picture {
    const struct top_model *model;
    const struct top_history *history;
    const char *command;
    const struct top_row *rows;
    int n_rows, job, n_jobs;
    const char *note; /* why there are no figures; NULL: there are */
};

/* How many processes there is room for. */
int top_draw_room(const struct top_canvas *c, const struct top_picture *p, const struct top_ui *ui);
void top_draw(struct top_canvas *c, const struct top_picture *p, const struct top_ui *ui);
#endif

#endif
