/* plot_strip.c - one series as a chart without labels, for screens that are drawn anew and anew. */
#include <errno.h>

#include "gput.h"
#include "report/plot/plot.h"
#include "report/plot/plot_parts.h"

enum { MOST_ROWS = 60 };

static int draw(const struct gput_chart *c, const struct gput__plot_series *s,
                const struct gput__plot_frame *f, char **ret_text)
{
    struct gput__buf out = { 0 };
    struct gput__pen pen = { .out = &out, .use_unicode = c->use_unicode };

    for (int row = 0; row < c->rows; row++) {
        if (s->bins.n_known)
            gput__plot_cells(&pen, f, s, row, c->rows);
        gput__pen_end_line(&pen);
    }
    return gput__buf_detach(&out, ret_text);
}

int gput_chart_text(const double *times, const double *values, size_t n, const struct gput_chart *c,
                    char **ret_text)
{
    struct gput__plot_series s = { .slot = GPUT__PLOT_RAM, .full = c->full };
    struct gput__plot_frame f = { .width = c->width, .rows = c->rows };
    int r;

    if (c->width < 1 || c->width > GPUT__PLOT_WIDEST || c->rows < 1 || c->rows > MOST_ROWS ||
        !(c->end > c->start))
        return -EINVAL;
    f.axis = gput__bins_axis(times, n, c->start, c->end, c->width);
    r = gput__bins_make(&s.bins, &f.axis, times, values, n, c->is_rate);
    if (r < 0)
        return r;
    if (!(s.full > 0))
        s.full = s.bins.n_known && s.bins.max > 0 ? s.bins.max : 1;
    r = draw(c, &s, &f, ret_text);
    gput__bins_free(&s.bins);
    return r;
}
