/* server_choice.h - the servers that a run could have next time, with what it would cost there. */
#ifndef GPUT_REPORT_SERVER_CHOICE_H
#define GPUT_REPORT_SERVER_CHOICE_H

#include <stdbool.h>

#include "servers/servers_table.h"

struct gput__server_choice {
    struct gput_server_needs needs;
    const char *arch; /* NULL: any */
    size_t n_runs;
    double seconds; /* that the longest of them took; NAN: not known */
    /* Those with a price of the last year; then, `old`, those with an older one. */
    const struct gput_server_offer *list, *old;
    size_t n, n_old, total, total_old; /* `total`: of both */
    const char *why_none;              /* where total is 0; NULL: nothing fits */
    const char *origin;                /* of the list */
    /* The server that it ran on; its type is NULL where that is not known, and its price NAN where
     * that is not.  The region is the one of the price. */
    struct gput_server_offer current;
    const char *current_region; /* where it ran; NULL: not known */
    int width;                  /* of text; 0: any */
};

/* What the run costs on a server, and how much less that is. */
struct gput__server_cost gput__server_cost(const struct gput__server_choice *c,
                                           const struct gput_server_offer *o);

/* -ENOMEM is in out->err. */
void gput__server_choice_text(const struct gput__server_choice *c, struct gput__buf *out);
void gput__server_choice_json(const struct gput__server_choice *c, struct gput__buf *out);

/* The page shows what the run cost, and the choice; both are kept by the caller. */
struct gput__html;
void gput__server_choice_html(const struct gput__server_choice *c, struct gput__html *page);

#endif
