/* discover.c - `gpu-tracker discover`: what this server is, and which cloud it is in. */
#include "commands/commands.h"
#include "gput.h"
#include "output/exit_codes.h"
#include "output/say.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The library has limits of its own, which are shorter. */
#define PATIENCE_SECONDS 60

struct discover {
    struct given given;
    enum gput_format format;
    bool wants_server, wants_cloud;
    const char *metadata_url, *root;
};

const struct option_def discover_options[] = {
    FORMAT_OPTION(struct discover, format, "How it is written."),
    { "server", NULL, "Only the server.", AT(struct discover, wants_server) },
    { "cloud", NULL, "Only the cloud.", AT(struct discover, wants_cloud) },
    { "metadata-url", "<url>",
      "Ask there instead of at the address of the cloud's metadata service; $GPUT_METADATA_URL does "
      "the same.",
      .kind = KIND_TEXT, AT(struct discover, metadata_url) },
    { "root", "<folder>", "Read proc/ and sys/ below this folder: the dump of a machine.",
      .kind = KIND_FILE, AT(struct discover, root) },
    { .name = NULL },
};

static uint32_t parts_of(const struct discover *w)
{
    if (w->wants_server == w->wants_cloud)
        return GPUT_DISCOVER_SERVER | GPUT_DISCOVER_CLOUD;
    return w->wants_server ? GPUT_DISCOVER_SERVER : GPUT_DISCOVER_CLOUD;
}

static int find_out(const struct discover *w, char **ret_text)
{
    struct gput_options o = GPUT_OPTIONS_INIT;
    struct gput_discovery *d = NULL;
    char proc[4096], sys[4096];
    int r;

    if (w->root) {
        snprintf(proc, sizeof(proc), "%s/proc", w->root);
        snprintf(sys, sizeof(sys), "%s/sys", w->root);
        o.proc_root = proc;
        o.sys_root = sys;
    }
    r = gput_discovery_start(&o, parts_of(w), w->metadata_url, &d);
    if (r == 0)
        r = gput_discovery_wait(d, PATIENCE_SECONDS);
    if (r == 0 || r == -EAGAIN)
        r = d ? gput_discovery_format(d, w->format, ret_text) : r;
    gput_discovery_close(d);
    return r;
}

int command_discover(const struct command *command, int argc, char **argv)
{
    struct discover w = { .format = GPUT_TEXT };
    char *text = NULL;
    int r;

    if (command_parse_alone(command, &w.given, argc, argv) < 0)
        return EXIT_USAGE;
    r = find_out(&w, &text);
    if (r == -EINVAL) {
        say("discover: %s: '%s' does not begin with http:// or https://",
            w.metadata_url ? "--metadata-url" : "$GPUT_METADATA_URL",
            w.metadata_url ? w.metadata_url : secure_getenv("GPUT_METADATA_URL"));
        return EXIT_USAGE;
    }
    if (r < 0) {
        say("discover: %s", strerror(-r));
        return EXIT_FAILED;
    }
    fputs(text, stdout);
    free(text);
    return 0;
}
