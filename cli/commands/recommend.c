/* recommend.c - `gpu-tracker recommend`: what to ask for next time. */
#include "commands/commands.h"
#include "commands/recommend_server.h"
#include "gput.h"
#include "output/exit_codes.h"
#include "output/say.h"
#include "output/write.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const targets[] = { "slurm",    "kubernetes", "nextflow", "snakemake",
                                       "metaflow", "docker",     NULL };
static const char *const archs[] = { "x86_64", "aarch64", "any", NULL };

struct recommend {
    struct given given;
    struct gput_recommend_options options;
    const char *history, *job_name; /* "": the user's own */
    bool wants_server;
    struct server_needs server;
};

/* "20%" or "0.2". */
static int set_margin(void *values, const char *text, struct refusal *ret_why)
{
    struct recommend *r = values;
    char *end;
    double margin = strtod(text, &end);

    if (end > text && strcmp(end, "%") == 0)
        margin /= 100;
    else if (end == text || *end || margin >= 2)
        margin = -1;
    if (!(margin >= 0 && margin <= 10))
        return refuse(ret_why, "'%s' is not a share such as 20%% or 0.2", text);
    r->options.margin = margin;
    return 0;
}

static int set_current(void *values, const char *text, struct refusal *ret_why)
{
    struct recommend *r = values;

    return recommend_server_set_current(&r->server, text, ret_why);
}

#define KEEP(member) AT(struct recommend, member)
#define SERVER(member) .needs = "server", KEEP(server.member)
const struct option_def recommend_options[] = {
    { "for", "<target>", "Print the lines to paste for one of these.", .kind = KIND_CHOICE,
      .choices = targets, KEEP(options.target) },
    { "format", "<format>", "Format of the output, 'text' by default.", .letter = 'f',
      .kind = KIND_INDEX, .choices = formats_text_json, .excludes = "for", KEEP(options.format) },
    { "margin", "<share>",
      "How much more than the peak to ask for, '20%' by default; '0.2' is the same.",
      .kind = KIND_OWN, .set = set_margin },
    { "history", "<file>",
      "Instead of files: all runs of --job-name in a history; without a name that of GPUT_HISTORY, "
      "else the user's own.",
      .kind = KIND_ANY, .needs = "job-name", .excludes = "server", .is_file = true,
      .is_optional = true, KEEP(history) },
    { "job-name", "<name>", "With --history: the runs of this name.", .kind = KIND_TEXT,
      .needs = "history", KEEP(job_name) },
    { "server", NULL, "Tell the cheapest servers to rent that have what is needed.",
      .excludes = "for", KEEP(wants_server) },
    { "vendor", "<vendor>", "With --server: only of this vendor, or of several: aws,gcp.",
      .kind = KIND_TEXT, SERVER(filters.vendor) },
    { "region", "<region>", "With --server: only in this region, or in several.", .kind = KIND_TEXT,
      SERVER(filters.region) },
    { "arch", "<arch>", "With --server: the architecture; without it, that of this machine.",
      .kind = KIND_CHOICE, .choices = archs, SERVER(filters.arch) },
    { "burstable", NULL,
      "With --server: also servers that have their vCPUs whole for a while only.",
      SERVER(is_burstable) },
    { "current", "<vendor/type/region>",
      "With --server: what the runs were on, where their files do not tell it; 'here' asks the "
      "cloud which server this is.",
      .kind = KIND_OWN, .set = set_current, .needs = "server" },
    { "catalogue", "<file>",
      "With --server: the catalogue to look in; without it $GPUT_CATALOGUE, else what 'catalogue "
      "update' has stored, else the built-in one.",
      .kind = KIND_FILE, SERVER(options.catalogue) },
    { "online", NULL, "With --server: ask the public Spare Cores Keeper for prices of today first.",
      SERVER(is_online) },
    { "keeper-url", "<url>", "With --online: ask there; $GPUT_KEEPER_URL does the same.",
      .kind = KIND_TEXT, SERVER(options.keeper_url) },
    { "limit", "<number>", "With --server: so many at most, 5 by default.", .kind = KIND_COUNT,
      SERVER(options.limit) },
    { .name = NULL },
};

static int recommend(const struct recommend *r, char **files, int n)
{
    const struct gput_callbacks on = { .warn = say_warning };
    struct gput_history_query query = GPUT_HISTORY_QUERY_INIT;
    struct gput_error err = { .field = "" };
    char *text = NULL;
    int s;

    query.job_name = r->job_name;
    s = r->history ? gput_recommend_history(r->history, &query, &r->options, &text, &err)
                   : gput_recommend_files((const char *const *)files, (size_t)n, &r->options, &on,
                                          &text, &err);

    return print_text("recommend", s, text, &err);
}

int command_recommend(const struct command *command, int argc, char **argv)
{
    struct recommend r = { .options = GPUT_RECOMMEND_OPTIONS_INIT, .server = SERVER_NEEDS_INIT };
    int files = command_parse(command, &r.given, argc, argv);

    if (files < 0)
        return EXIT_USAGE;
    if (r.history && files < argc) {
        say("recommend: --history and files do not go together");
        return EXIT_USAGE;
    }
    if (files == argc && !r.history) {
        say("recommend: a file is missing: a tracking file, a result (-f json), a snapshot or a "
            "stream");
        return EXIT_USAGE;
    }
    if (r.wants_server)
        return recommend_server_run(&r.server, &r.options, (const char *const *)argv + files,
                                    (size_t)(argc - files));
    return recommend(&r, argv + files, argc - files);
}
