/* recommend_server.h - `gpu-tracker recommend --server`: the cheapest servers for what runs need. */
#ifndef CLI_RECOMMEND_SERVER_H
#define CLI_RECOMMEND_SERVER_H

#include "gput.h"
#include "output/say.h"

#include <stdbool.h>

struct server_needs {
    bool is_burstable, is_online;
    bool is_here;         /* --current=here */
    char current[3][100]; /* vendor, type and region of --current */
    struct gput_server_filters filters;
    struct gput_recommend_servers_options options;
};
#define SERVER_NEEDS_INIT                                                                          \
    {                                                                                              \
        .filters = GPUT_SERVER_FILTERS_INIT, .options = GPUT_RECOMMEND_SERVERS_OPTIONS_INIT        \
    }

/* The value of --current: 0, or -EINVAL with the reason. */
int recommend_server_set_current(struct server_needs *w, const char *value,
                                 struct refusal *ret_why);

/* Prints the servers and returns the exit status. */
int recommend_server_run(struct server_needs *w, const struct gput_recommend_options *options,
                         const char *const *files, size_t n);

#endif
