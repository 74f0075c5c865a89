/* recommend_server.h - `gpu-tracker recommend --server`: the cheapest servers for what runs need. */
#ifndef CLI_RECOMMEND_SERVER_H
#define CLI_RECOMMEND_SERVER_H

#include "gput.h"

#include <stdbool.h>

struct server_wishes {
    bool is_wanted;       /* --server */
    const char *other;    /* an option that goes with it only, or NULL */
    bool is_here;         /* --current=here */
    char current[3][100]; /* vendor, type and region of --current */
    struct gput_server_filters filters;
    struct gput_recommend_servers_options options;
};
#define SERVER_WISHES_INIT                                                                         \
    {                                                                                              \
        .filters = GPUT_SERVER_FILTERS_INIT, .options = GPUT_RECOMMEND_SERVERS_OPTIONS_INIT        \
    }

/* Choices of options, for the table. */
extern const char *const server_archs[];

/* Takes an option by its name; 0, or -1 after it has said what is wrong. */
int recommend_server_take(struct server_wishes *w, const char *name, const char *value);

/* Prints the servers and returns the exit status. */
int recommend_server_run(struct server_wishes *w, const struct gput_recommend_options *options,
                         const char *const *files, size_t n);

#endif
