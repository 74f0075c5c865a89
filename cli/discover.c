/* discover.c - `gpu-tracker discover`: what this server is, and which cloud it is in. */
#include "commands.h"
#include "exit_codes.h"
#include "gput.h"
#include "say.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The library has limits of its own, which are shorter. */
#define PATIENCE_SECONDS 60

static const char *const formats[] = { "text", "json", NULL };

enum { OPTION_FORMAT, OPTION_SERVER, OPTION_CLOUD, OPTION_METADATA_URL, OPTION_ROOT };

const struct sub_option discover_options[] = {
    [OPTION_FORMAT] = { "format", "<format>", "How it is written.", formats, 'f', false },
    [OPTION_SERVER] = { "server", NULL, "Only the server.", NULL, 0, false },
    [OPTION_CLOUD] = { "cloud", NULL, "Only the cloud.", NULL, 0, false },
    [OPTION_METADATA_URL] = { "metadata-url", "<url>",
                              "Ask there instead of at the address of the cloud's metadata "
                              "service; $GPUT_METADATA_URL does the same.",
                              NULL, 0, false },
    [OPTION_ROOT] = { "root", "<folder>",
                      "Read proc/ and sys/ below this folder: the dump of a machine.", NULL, 0,
                      true },
    { .name = NULL },
};

struct wishes {
    enum gput_format format;
    uint32_t what;
    const char *metadata_url, *root;
};

static int take(void *ctx, int option, const char *value)
{
    struct wishes *w = ctx;

    if (option == OPTION_FORMAT)
        w->format = strcmp(value, "json") == 0 ? GPUT_JSON : GPUT_TEXT;
    else if (option == OPTION_METADATA_URL)
        w->metadata_url = value;
    else if (option == OPTION_ROOT)
        w->root = value;
    else
        w->what |= option == OPTION_SERVER ? GPUT_DISCOVER_SERVER : GPUT_DISCOVER_CLOUD;
    return 0;
}

static int find_out(const struct wishes *w, char **ret_text)
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
    r = gput_discovery_start(&o, w->what, w->metadata_url, &d);
    if (r == 0)
        r = gput_discovery_wait(d, PATIENCE_SECONDS);
    if (r == 0 || r == -EAGAIN)
        r = d ? gput_discovery_format(d, w->format, ret_text) : r;
    gput_discovery_close(d);
    return r;
}

int command_discover(const struct sub_command *command, int argc, char **argv)
{
    struct wishes w = { .format = GPUT_TEXT };
    char *text = NULL;
    int r;

    if (sub_options_alone(command, "discover", argc, argv, take, &w) < 0)
        return EXIT_USAGE;
    w.what = w.what ? w.what : GPUT_DISCOVER_SERVER | GPUT_DISCOVER_CLOUD;
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
