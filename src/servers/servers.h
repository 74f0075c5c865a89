/* servers.h - the cheapest servers that fit, out of a catalogue. */
#ifndef GPUT_ANALYSIS_SERVERS_H
#define GPUT_ANALYSIS_SERVERS_H

#include "servers/catalogue.h"

/* The cheapest that fit, and of those with an old price the cheapest, which stand behind them in the
 * list. */
struct gput__servers_found {
    struct gput_server_offer *list; /* the caller's: room for `most` of each */
    size_t most;
    size_t n, n_old;         /* in the list */
    size_t total, total_old; /* that fit; `total` has the old ones as well */
};

/* As gput_catalogue_find(); `needs` and `filters` are whole here.  A price from before that day
 * ("2025-07-06") is old; NULL: none is.  -ENODATA: nothing fits. */
int gput__servers_find(const struct gput_catalogue *c, const struct gput_server_needs *needs,
                       const struct gput_server_filters *filters, const char *old_before,
                       struct gput__servers_found *found, struct gput_error *err);

/* As gput_catalogue_price(). */
int gput__servers_price(const struct gput_catalogue *c, const char *vendor, const char *type,
                        const char *region, struct gput_server_offer *ret);

/* Whether an offer is among those that are looked at, and whether it has all that is needed. */
bool gput__server_passes(const struct gput_server_offer *o, const struct gput_server_filters *f);
bool gput__server_fits(const struct gput_server_offer *o, const struct gput_server_needs *needs);

/* servers_unmet.c: says in one line why nothing was found. */
void gput__servers_unmet(const struct gput_catalogue *c, const struct gput_server_needs *needs,
                         const struct gput_server_filters *f, struct gput_error *err);

#endif
