/* level.h - the lines of a report at some fineness, as codes (pack.h). */
#ifndef GPUT_REPORT_LEVEL_H
#define GPUT_REPORT_LEVEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "report/charts.h"
#include "report/html/thin.h"

/* What levels are made of: `n` records of a run, from `first` on. */
struct gput__level_source {
    const double *time;
    const struct gput__charts *charts;
    size_t first, n;
    double from, tick; /* times are told in ticks since `from` */
};

struct gput__level {
    size_t n;     /* moments */
    bool is_thin; /* lowest, highest and mean of several records; otherwise each record itself */
    struct gput__thinned of;
    uint16_t *code; /* n of the lowest, then as many of the highest and of the means */
    uint32_t *ticks;
};

/* Room for at most `most` moments.  0 or -ENOMEM; it is to be freed in either case. */
int gput__level_make(struct gput__level *l, const struct gput__level_source *s, size_t most);
void gput__level_free(struct gput__level *l);

void gput__level_fill_ticks(struct gput__level *l, const struct gput__level_source *s);

/* The codes of one line, up to `top`. */
void gput__level_fill_codes(struct gput__level *l, const struct gput__level_source *s,
                            const struct gput__chart *c, const struct gput__line *line,
                            unsigned top);
/* What a step of such codes is, in the unit of the chart. */
double gput__level_step(const struct gput__chart *c, const struct gput__line *line, unsigned top);

#endif
