/* servers_table.h - servers to rent, as a table, as JSON and as a catalogue. */
#ifndef GPUT_REPORT_SERVERS_H
#define GPUT_REPORT_SERVERS_H

#include "base/buf.h"
#include "gput.h"
#include "report/json/json.h"

/* What is told of a server beyond the catalogue; NAN: not known. */
struct gput__server_cost {
    double run_usd;    /* what the run costs there */
    double saving_usd; /* and how much less than on the server that it ran on; below 0: more */
    double saving_percent;
};

/* A table, or where that is wider than `width` a list; 0: a table.  `costs` NULL: nothing beyond the
 * catalogue. */
void gput__servers_text(const struct gput_server_offer *list, size_t n,
                        const struct gput__server_cost *costs, int width, struct gput__buf *out);
/* Two lines for each. */
void gput__servers_list(const struct gput_server_offer *list, size_t n,
                        const struct gput__server_cost *costs, struct gput__buf *out);
void gput__servers_json(const struct gput_server_offer *list, size_t n, struct gput__buf *out);
void gput__servers_csv(const struct gput_server_offer *list, size_t n, struct gput__buf *out);

/* The members of one server, under the names that the Keeper of Spare Cores has for them, and its
 * region, source and day. */
void gput__server_members(const struct gput_server_offer *o, struct gput__json *j);

#endif
