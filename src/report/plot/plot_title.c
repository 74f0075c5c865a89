/* plot_title.c - the line above a chart: its name, where its peak was, a note. */
#include <string.h>

#include "report/plot/plot_parts.h"

void gput__plot_label(struct gput__pen *pen, const struct gput__plot_frame *f, const char *colour,
                      const char *text)
{
    gput__pen_to(pen, f->gutter - (int)strlen(text));
    gput__pen_text(pen, colour, text);
    gput__pen_to(pen, f->gutter + 1);
}

/* An arrow at the peak, and when that was. */
struct mark {
    char when[GPUT__AMOUNT_SIZE]; /* empty: the arrow alone */
    int arrow;                    /* its column in the chart */
    int from, to;                 /* columns that all of it takes */
};

/* The words stand on the side where there is room. */
static struct mark place_mark(const struct gput__plot_frame *f, const struct gput__plot_series *s,
                              bool has_time)
{
    struct mark m = { .arrow = s->bins.max_column };
    int length = 0;

    if (has_time) {
        gput__amount_time(s->bins.max_time, m.when);
        length = (int)strlen(m.when) + 1;
    }
    m.from = m.arrow + length < f->axis.n_columns ? m.arrow : m.arrow - length;
    m.to = m.from + length + 1;
    return m;
}

static void draw_mark(struct gput__pen *pen, const struct gput__plot_frame *f, const struct mark *m)
{
    const char *arrow = gput__pen_choice(pen, "▼", "v");

    gput__pen_to(pen, f->gutter + 2 + m->from);
    if (m->from < m->arrow) {
        gput__pen_text(pen, GPUT__PEN_DIM, m->when);
        gput__pen_cell(pen, NULL, " ");
        gput__pen_cell(pen, GPUT__PEN_MARK, arrow);
    } else {
        gput__pen_cell(pen, GPUT__PEN_MARK, arrow);
        gput__pen_cell(pen, NULL, " ");
        gput__pen_text(pen, GPUT__PEN_DIM, m->when);
    }
}

void gput__plot_note(struct gput__pen *pen, const struct gput__plot_frame *f, const char *note,
                     int from)
{
    if (from + (int)strlen(note) > f->axis.n_columns)
        return;
    gput__pen_to(pen, f->gutter + 2 + from);
    gput__pen_text(pen, GPUT__PEN_DIM, note);
}

/* The mark, and a note at the right end or, if the mark is there, at the left.  False: there is no
 * room for both. */
static bool draw_both(struct gput__pen *pen, const struct gput__plot_frame *f, const struct mark *m,
                      const char *note)
{
    int length = (int)strlen(note), n_columns = f->axis.n_columns;

    if (m->to + 2 + length <= n_columns) {
        draw_mark(pen, f, m);
        gput__plot_note(pen, f, note, n_columns - length);
        return true;
    }
    if (length + 2 <= m->from) {
        gput__plot_note(pen, f, note, 0);
        draw_mark(pen, f, m);
        return true;
    }
    return false;
}

void gput__plot_title(struct gput__pen *pen, const struct gput__plot_frame *f,
                      const struct gput__plot_series *s, const char *note)
{
    struct mark full = place_mark(f, s, true), bare = place_mark(f, s, false);

    gput__plot_label(pen, f, GPUT__PEN_BOLD, s->name);
    if (!*note || (!draw_both(pen, f, &full, note) && !draw_both(pen, f, &bare, note)))
        draw_mark(pen, f, &full);
    gput__pen_end_line(pen);
}
