/* server_search.h - the cheapest servers for what runs need, and the one that they were on. */
#ifndef GPUT_API_SERVER_SEARCH_H
#define GPUT_API_SERVER_SEARCH_H

#include "servers/server_choice.h"

struct gput__server_search {
    /* What is asked, the caller's own: */
    struct gput_recommend_servers_options o;
    const struct gput_callbacks *on; /* warn() is used; NULL: nobody is told */
    /* What is found, good until gput__server_search_end(): */
    struct gput__server_choice choice;
    /* What must live as long: */
    struct gput_server_filters filters;
    struct gput_catalogue *catalogue;
    struct gput_catalogue *online; /* NULL: it was not asked, or to no use */
    struct gput_server_offer *list;
    char price_region[64];
};

/* `opts` may be NULL.  What has a size is made whole, and the architecture "here" named. */
void gput__server_search_begin(struct gput__server_search *s,
                               const struct gput_recommend_servers_options *opts,
                               const struct gput_callbacks *on);
/* The server that the runs were on is that of the options.  -ENODATA: nothing fits. */
int gput__server_search(struct gput__server_search *s, const struct gput_demand *runs, size_t n,
                        struct gput_error *err);
void gput__server_search_end(struct gput__server_search *s);

/* "here" as the name of this machine's architecture, NULL where the catalogue has no servers of that
 * one; others as they are. */
const char *gput__server_arch(const char *arch);

#endif
