/* recommend.c - `gpu-tracker recommend`: what to ask for next time. */
#include "commands.h"
#include "exit_codes.h"
#include "gput.h"
#include "recommend_server.h"
#include "say.h"
#include "sub_options.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const formats[] = { "text", "json", NULL };
static const char *const targets[] = { "slurm",    "kubernetes", "nextflow", "snakemake",
                                       "metaflow", "docker",     NULL };

enum {
    FOR,
    FORMAT,
    MARGIN,
    SERVER,
    VENDOR,
    REGION,
    ARCH,
    BURSTABLE,
    CURRENT,
    CATALOGUE,
    ONLINE,
    KEEPER_URL,
    LIMIT
};

const struct sub_option recommend_options[] = {
    [FOR] = { "for", "<target>", "Print the lines to paste for one of these.", targets, 0, false },
    [FORMAT] = { "format", "<format>", "Format of the output, 'text' by default.", formats, 'f',
                 false },
    [MARGIN] = { "margin", "<share>",
                 "How much more than the peak to ask for, '20%' by default; '0.2' is the same.",
                 NULL, 0, false },
    [SERVER] = { "server", NULL, "Tell the cheapest servers to rent that have what is needed.",
                 NULL, 0, false },
    [VENDOR] = { "vendor", "<vendor>",
                 "With --server: only of this vendor, or of several: aws,gcp.", NULL, 0, false },
    [REGION] = { "region", "<region>", "With --server: only in this region, or in several.", NULL,
                 0, false },
    [ARCH] = { "arch", "<arch>",
               "With --server: the architecture; without it, that of this machine.", server_archs,
               0, false },
    [BURSTABLE] = { "burstable", NULL,
                    "With --server: also servers that have their vCPUs whole for a while only.",
                    NULL, 0, false },
    [CURRENT] = { "current", "<vendor/type/region>",
                  "With --server: what the runs were on, where their files do not tell it; 'here' "
                  "asks the cloud which server this is.",
                  NULL, 0, false },
    [CATALOGUE] = { "catalogue", "<file>",
                    "With --server: the catalogue to look in; without it $GPUT_CATALOGUE, else what "
                    "'catalogue update' has stored, else the built-in one.",
                    NULL, 0, true },
    [ONLINE] = { "online", NULL,
                 "With --server: ask the public Spare Cores Keeper for prices of today first.",
                 NULL, 0, false },
    [KEEPER_URL] = { "keeper-url", "<url>",
                     "With --online: ask there; $GPUT_KEEPER_URL does the same.", NULL, 0, false },
    [LIMIT] = { "limit", "<number>", "With --server: so many at most, 5 by default.", NULL, 0,
                false },
    { .name = NULL },
};

struct recommend {
    struct gput_recommend_options options;
    bool has_format;
    struct server_wishes server;
};

/* "20%" or "0.2". */
static int take_margin(struct recommend *r, const char *value)
{
    char *end;
    double margin = strtod(value, &end);

    if (end > value && strcmp(end, "%") == 0)
        margin /= 100;
    else if (end == value || *end || margin >= 2)
        margin = -1;
    if (!(margin >= 0 && margin <= 10)) {
        say("recommend: --margin: '%s' is not a share such as 20%% or 0.2", value);
        return -1;
    }
    r->options.margin = margin;
    return 0;
}

static int take(void *ctx, int option, const char *value)
{
    struct recommend *r = ctx;

    switch (option) {
    case FOR:
        r->options.target = value;
        break;
    case FORMAT:
        r->options.format = strcmp(value, "json") == 0 ? GPUT_JSON : GPUT_TEXT;
        r->has_format = true;
        break;
    case MARGIN:
        return take_margin(r, value);
    default:
        return recommend_server_take(&r->server, recommend_options[option].name, value);
    }
    return 0;
}

static int recommend(const struct recommend *r, char **files, int n)
{
    const struct gput_callbacks on = { .warn = say_warning };
    struct gput_error err = { .field = "" };
    char *text = NULL;
    int s =
        gput_recommend_files((const char *const *)files, (size_t)n, &r->options, &on, &text, &err);

    if (s < 0) {
        say("recommend: %s", err.text);
        return s == -EINVAL ? EXIT_USAGE : EXIT_FAILED;
    }
    fputs(text, stdout);
    free(text);
    return 0;
}

int command_recommend(const struct sub_command *command, int argc, char **argv)
{
    struct recommend r = { .options = GPUT_RECOMMEND_OPTIONS_INIT, .server = SERVER_WISHES_INIT };
    int files;

    files = sub_options_parse(command, "recommend", argc, argv, take, &r);
    if (files < 0)
        return EXIT_USAGE;
    if (files == argc) {
        say("recommend: a file is missing: a tracking file, a result (-f json), a snapshot or a "
            "stream");
        return EXIT_USAGE;
    }
    if (r.options.target && r.has_format) {
        say("recommend: --for and --format do not go together");
        return EXIT_USAGE;
    }
    if (r.server.is_wanted ? r.options.target != NULL : r.server.other != NULL) {
        say("recommend: --%s %s", r.server.is_wanted ? "for" : r.server.other,
            r.server.is_wanted ? "and --server do not go together" : "goes with --server");
        return EXIT_USAGE;
    }
    if (r.server.is_wanted)
        return recommend_server_run(&r.server, &r.options, (const char *const *)argv + files,
                                    (size_t)(argc - files));
    return recommend(&r, argv + files, argc - files);
}
