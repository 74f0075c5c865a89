/* html.h - the report of a run: one page that needs nothing else. */
#ifndef GPUT_REPORT_HTML_H
#define GPUT_REPORT_HTML_H

#include <stddef.h>

#include "base/buf.h"
#include "model/run.h"
#include "report/advice.h"
#include "report/charts.h"
#include "report/html/level.h"
#include "report/recommend.h"
#include "report/text/amount.h"

/* What goes into it.  All but `run` may be missing; nothing is taken over. */
struct gput__html {
    const struct gput__run *run;
    const char *title; /* NULL: the command, else the file */
    const struct gput_block *blocks;
    size_t n_blocks;
    const struct gput__recommendation *recommendation;
    double cost_usd, usd_per_hour; /* of the run on the server it ran on; 0: not known */
    /* Writes the section on servers to rent, of which the page knows nothing else; NULL: none. */
    void (*write_servers)(const void *servers, struct gput__buf *out);
    const void *servers;
    int has_failed; /* who made the report says so */
};

/* Appends the page.  0 or -ENOMEM. */
int gput__html_write(const struct gput__html *h, struct gput__buf *out);

/* --- html_live.c: the page of a run that goes on ----------------------------------------------- */

/* The sections that change meanwhile, each by itself. */
enum gput__live_part {
    GPUT__LIVE_SUMMARY,
    GPUT__LIVE_CARDS,
    GPUT__LIVE_ADVICE,
    GPUT__LIVE_CHARTS, /* without what they show, which is in the data */
    GPUT__LIVE_WHO,
    GPUT__LIVE_GPUS,
    GPUT__LIVE_FIGURES,
    GPUT__LIVE_PARTS
};
const char *gput__html_live_name(enum gput__live_part part);
void gput__html_live_part(const struct gput__html *h, const struct gput__charts *c,
                          enum gput__live_part part, struct gput__buf *out);
/* Which charts and lines there are: the section of the charts is another one only if this is. */
void gput__html_live_charts(const struct gput__charts *c, struct gput__buf *out);
/* The page as it is when somebody opens it; `parts` are those sections. */
void gput__html_live_page(const struct gput__html *h, const struct gput__charts *c,
                          const char *const parts[GPUT__LIVE_PARTS], struct gput__buf *out);

/* What all pages have around them: up to <main>; from </main> on, with the data for the script. */
void gput__html_begin(const char *title, struct gput__buf *out);
/* The same for a page that asks its own server, and nobody else, for what is new. */
void gput__html_begin_live(const struct gput__html *h, struct gput__buf *out);
void gput__html_end_live(const struct gput__html *h, const struct gput__charts *charts,
                         struct gput__buf *out);
void gput__html_end(void (*write_data)(const void *ctx, struct gput__buf *out), const void *ctx,
                    struct gput__buf *out);

/* The end of a page with charts: the series in them come behind it. */
void gput__html_end_charts(const struct gput__html *h, const struct gput__charts *charts,
                           struct gput__buf *out);

/* --- its parts, each in a file of its own: html_<part>.c ------------------------------------- */

void gput__html_summary(const struct gput__html *h, struct gput__buf *out);
void gput__html_cards(const struct gput__html *h, struct gput__buf *out);
void gput__html_advice(const struct gput__html *h, struct gput__buf *out);
void gput__html_charts(const struct gput__html *h, const struct gput__charts *c,
                       struct gput__buf *out);
void gput__html_lanes(const struct gput__html *h, struct gput__buf *out);
void gput__html_blocks(const struct gput__html *h, struct gput__buf *out);
void gput__html_recommend(const struct gput__html *h, struct gput__buf *out);
void gput__html_who(const struct gput__html *h, struct gput__buf *out);
void gput__html_gpus(const struct gput__html *h, struct gput__buf *out);
void gput__html_figures(const struct gput__html *h, struct gput__buf *out);
/* The series for the script, in at most about `room` bytes. */
void gput__html_data(const struct gput__html *h, const struct gput__charts *c, size_t room,
                     struct gput__buf *out);
/* The same for a page that is sent anew all the time: JSON, at most so many moments. */
void gput__html_data_so_far(const struct gput__html *h, const struct gput__charts *c, size_t most,
                            struct gput__buf *out);
/* Within it: more than `least` moments, if they fit. */
void gput__html_deep(const struct gput__level_source *s, size_t least, size_t room,
                     struct gput__buf *out);

/* A figure that matters most. */
struct gput__card {
    const char *id, *name;
    char value[GPUT__AMOUNT_SIZE]; /* empty: not measured */
    char note[200];
    double exact;       /* the figure itself, for programs */
    double share;       /* of what there is, 0 to 1; NAN: not known */
    const char *how;    /* "exact", "sampled", "estimated" */
    const char *why;    /* why it is not exact, or NULL */
    const char *figure; /* where it stands in the JSON of a run */
};

enum { GPUT__MOST_CARDS = 8 };

struct gput__cards {
    struct gput__card card[GPUT__MOST_CARDS];
    size_t n;
};

void gput__html_list_cards(const struct gput__html *h, struct gput__cards *ret);

/* How it ended, for a headline. */
void gput__html_ending(const struct gput__html *h, struct gput__advice *ret);
/* The title that was given, else the command, else the file. */
const char *gput__html_title(const struct gput__html *h);
/* A line of a chart with all of its peaks: what "d" of an SVG's <path> takes, in a box
 * of GPUT__PATH_WIDTH by GPUT__PATH_HEIGHT whose top is `top`, in the chart's unit. */
enum { GPUT__PATH_WIDTH = 960, GPUT__PATH_HEIGHT = 200 };
void gput__html_path(const struct gput__html *h, const struct gput__line *line, double top,
                     struct gput__buf *out);

/* Longer texts are cut: a title, a command, the name of a code block; bytes. */
enum { GPUT__LONG_TITLE = 160, GPUT__LONG_COMMAND = 20000, GPUT__LONG_NAME = 200 };

/* The span of the horizontal axis, in seconds since 1970; 0 and 0: there is none. */
void gput__html_span(const struct gput__html *h, double *ret_from, double *ret_to);

#endif
