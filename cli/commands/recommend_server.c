/* recommend_server.c - `gpu-tracker recommend --server`: the cheapest servers for what runs need. */
#include "commands/recommend_server.h"

#include "output/exit_codes.h"
#include "output/say.h"
#include "output/write.h"
#include "terminal/terminal.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The library asks for a second at most. */
#define PATIENCE_SECONDS 5

/* "aws/m7i.large" or "aws/m7i.large/us-east-1"; the words stay in w->current. */
int recommend_server_set_current(struct server_needs *w, const char *value, struct refusal *ret_why)
{
    const char **at[] = { &w->options.current_vendor, &w->options.current_type,
                          &w->options.current_region };
    const char *p = value;
    int n = 0;

    w->is_here = strcmp(value, "here") == 0;
    while (n < 3 && !w->is_here) {
        size_t len = strcspn(p, "/");

        if (len == 0 || len >= sizeof(w->current[n]))
            break;
        snprintf(w->current[n], sizeof(w->current[n]), "%.*s", (int)len, p);
        *at[n] = w->current[n];
        n++;
        p += len;
        if (*p != '/')
            break;
        p++;
    }
    if (w->is_here || (n >= 2 && !*p && p[-1] != '/'))
        return 0;
    return refuse(ret_why, "'%s' is neither 'here' nor such as aws/m7i.large/us-east-1", value);
}

/* What the cloud's metadata service says of this machine. */
static void find_here(struct server_needs *w)
{
    struct gput_discovery *d = NULL;
    const struct gput_cloud *cloud = NULL;

    if (gput_discovery_start(NULL, GPUT_DISCOVER_CLOUD, NULL, &d) == 0 &&
        gput_discovery_wait(d, PATIENCE_SECONDS) == 0)
        cloud = gput_discovery_cloud(d);
    if (cloud && cloud->vendor && cloud->instance_type) {
        const char *found[] = { cloud->vendor, cloud->instance_type, cloud->region };
        const char **at[] = { &w->options.current_vendor, &w->options.current_type,
                              &w->options.current_region };

        for (int i = 0; i < 3 && found[i]; i++) {
            snprintf(w->current[i], sizeof(w->current[i]), "%s", found[i]);
            *at[i] = w->current[i];
        }
    } else {
        say("warning: it is not known which server this is: %s",
            cloud && cloud->why ? cloud->why : "its cloud did not answer");
    }
    gput_discovery_close(d);
}

/* A program of one architecture does not run on the other. */
static void set_arch(struct server_needs *w)
{
    if (!w->filters.arch)
        w->filters.arch = "here";
    else if (strcmp(w->filters.arch, "any") == 0)
        w->filters.arch = NULL;
}

int recommend_server_run(struct server_needs *w, const struct gput_recommend_options *options,
                         const char *const *files, size_t n)
{
    const struct gput_callbacks on = { .warn = say_warning };
    struct gput_error err = { .field = "" };
    char *text = NULL;
    int r;

    set_arch(w);
    w->options.is_online = w->is_online;
    if (w->is_burstable)
        w->filters.flags |= GPUT_SERVERS_BURSTABLE;
    if (w->is_here)
        find_here(w);
    w->options.filters = &w->filters;
    w->options.format = options->format;
    w->options.margin = options->margin;
    w->options.width = isatty(STDOUT_FILENO) ? terminal_width(0) : 0;
    r = gput_recommend_servers(files, n, &w->options, &on, &text, &err);
    return print_text("recommend", r, text, &err);
}
