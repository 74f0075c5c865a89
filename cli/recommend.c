/* recommend.c - `gpu-tracker recommend`: what to ask for next time. */
#include "commands.h"
#include "exit_codes.h"
#include "gput.h"
#include "say.h"
#include "sub_options.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const formats[] = { "text", "json", NULL };
static const char *const targets[] = { "slurm",    "kubernetes", "nextflow", "snakemake",
                                       "metaflow", "docker",     NULL };

enum { FOR, FORMAT, MARGIN };

const struct sub_option recommend_options[] = {
    [FOR] = { "for", "<target>", "Print the lines to paste for one of these.", targets, 0, false },
    [FORMAT] = { "format", "<format>", "Format of the output, 'text' by default.", formats, 'f',
                 false },
    [MARGIN] = { "margin", "<share>",
                 "How much more than the peak to ask for, '20%' by default; '0.2' is the same.",
                 NULL, 0, false },
    { .name = NULL },
};

struct recommend {
    struct gput_recommend_options options;
    bool has_format;
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
    }
    return 0;
}

static void warn(void *ctx, const char *line)
{
    (void)ctx;
    say("warning: %s", line);
}

static int recommend(const struct recommend *r, char **files, int n)
{
    const struct gput_callbacks on = { .warn = warn };
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

int command_recommend(int argc, char **argv)
{
    static const struct sub_command command = { .name = "recommend", .options = recommend_options };
    struct recommend r = { .options = GPUT_RECOMMEND_OPTIONS_INIT };
    int files;

    if (argc == 2 && (strcmp(argv[1], "-h") == 0 || strcmp(argv[1], "--help") == 0)) {
        fputs(
            "gpu-tracker recommend FILE... [options]\n"
            "Tells what to ask for next time, from what is left of finished runs: tracking files, "
            "results\n"
            "(-f json), snapshots of resource_tracker, streams.\n\nOptions:\n",
            stdout);
        sub_options_help(stdout, recommend_options);
        return 0;
    }
    files = sub_options_parse(&command, "recommend", argc, argv, take, &r);
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
    return recommend(&r, argv + files, argc - files);
}
