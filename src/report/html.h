/* html.h - the report of a run: one page that needs nothing else. */
#ifndef GPUT_REPORT_HTML_H
#define GPUT_REPORT_HTML_H

#include <stddef.h>

#include "base/buf.h"
#include "model/run.h"
#include "report/charts.h"
#include "report/recommend.h"

/* A server to rent. */
struct gput__html_offer {
    const char *vendor, *type, *region;
    int vcpus;
    double memory_mib;
    double gpus;
    const char *gpu_model; /* NULL: none */
    double usd_hour;
    const char *as_of; /* the day of the price; NULL: not known */
};

/* What goes into it.  All but `run` may be missing; nothing is taken over. */
struct gput__html {
    const struct gput__run *run;
    const char *title; /* NULL: the command, else the file */
    const struct gput_block *blocks;
    size_t n_blocks;
    double ram_unit, gpu_ram_unit; /* bytes in one of theirs, of the statistics of `blocks` */
    const struct gput__recommendation *recommendation;
    const struct gput__html_offer *offers; /* the cheapest first */
    size_t n_offers;
    double paid_usd_hour; /* of the server that it ran on; 0: not known */
};

/* Appends the page.  0 or -ENOMEM. */
int gput__html_write(const struct gput__html *h, struct gput__buf *out);

/* --- its parts, each in a file of its own: html_<part>.c ------------------------------------- */

void gput__html_summary(const struct gput__html *h, struct gput__buf *out);
void gput__html_cards(const struct gput__html *h, struct gput__buf *out);
void gput__html_advice(const struct gput__html *h, struct gput__buf *out);
void gput__html_charts(const struct gput__html *h, const struct gput__charts *c,
                       struct gput__buf *out);
void gput__html_lanes(const struct gput__html *h, struct gput__buf *out);
void gput__html_blocks(const struct gput__html *h, struct gput__buf *out);
void gput__html_recommend(const struct gput__html *h, struct gput__buf *out);
void gput__html_server(const struct gput__html *h, struct gput__buf *out);
void gput__html_gpus(const struct gput__html *h, struct gput__buf *out);
void gput__html_figures(const struct gput__html *h, struct gput__buf *out);
/* The series for the script, in at most about `room` bytes. */
void gput__html_data(const struct gput__html *h, const struct gput__charts *c, size_t room,
                     struct gput__buf *out);

/* Dollars of the run at that price; negative: not known. */
double gput__html_cost(const struct gput__html *h, double usd_hour);

/* The span of the horizontal axis, in seconds since 1970; 0 and 0: there is none. */
void gput__html_span(const struct gput__html *h, double *ret_from, double *ret_to);

#endif
