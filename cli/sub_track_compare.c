/* sub_track_compare.c - `gpu-tracker sub-track compare`: analyses of several runs side by side. */
#include "exit_codes.h"
#include "gput.h"
#include "output.h"
#include "say.h"
#include "sub_track.h"
#include "sub_track_config.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const char *const formats[] = { "text", "json", NULL };
static const char *const statistics[] = { "min", "max", "mean", "std", NULL };

enum { OUTPUT, FORMAT, CCONFIG, SESSION, STAT };

const struct sub_option sub_compare_options[] = {
    [OUTPUT] = { "output", "<output>",
                 "File to store the comparison in; without it, it goes to standard output.", NULL,
                 'o', true },
    [FORMAT] = { "format", "<format>", "Format of the comparison, 'text' by default.", formats, 'f',
                 false },
    [CCONFIG] = { "cconfig", "<config-file>",
                  "JSON file with the keys file_path_map (names of sessions and their files) and "
                  "statistic; options of the command line win over it.",
                  NULL, 0, true },
    [SESSION] = { "m", "<name>=<file-path>",
                  "A session and the file that 'analyze -f json' wrote of it; may be repeated.",
                  NULL, 'm', true },
    [STAT] = { "stat", "<statistic>", "The statistic to compare, 'mean' by default.", statistics, 0,
               false },
    { .name = NULL },
};

struct compare {
    const struct sub_command *command;
    const char *output, *config, *stat;
    enum gput_format format;
    struct sessions given; /* by -m */
};

/* "name=path": the name ends at the first '='. */
static int add_session(struct compare *c, const char *word)
{
    const char *equals = strchr(word, '=');
    struct refusal why;
    char *name;
    int r;

    if (!equals || equals == word || !equals[1]) {
        say("sub-track compare: -m: '%s' is not of the form <name>=<file-path>", word);
        return -1;
    }
    name = strndup(word, (size_t)(equals - word));
    r = name ? sessions_set(&c->given, name, equals + 1, &why)
             : refuse(&why, "%s", strerror(ENOMEM));
    free(name);
    if (r < 0)
        say("sub-track compare: %s", why.text);
    return r;
}

static int take(void *ctx, int option, const char *value)
{
    struct compare *c = ctx;

    switch (option) {
    case OUTPUT:
        c->output = value;
        break;
    case FORMAT:
        c->format = strcmp(value, "json") == 0 ? GPUT_JSON : GPUT_TEXT;
        break;
    case CCONFIG:
        c->config = value;
        break;
    case SESSION:
        return add_session(c, value);
    case STAT:
        c->stat = value;
        break;
    }
    return 0;
}

/* The config file first, so that the command line wins. */
static int gather(const struct compare *c, struct sessions *all, enum gput_statistic *statistic,
                  struct refusal *why)
{
    if (c->config && sub_track_config(c->config, all, statistic, why) < 0)
        return -EINVAL;
    for (size_t i = 0; i < c->given.n; i++)
        if (sessions_set(all, c->given.list[i].name, c->given.list[i].file, why) < 0)
            return -EINVAL;
    if (c->stat)
        (void)statistic_of(c->stat, statistic); /* checked with the options */
    if (all->n == 0)
        return refuse(why, "no session: give -m <name>=<file-path>, or --cconfig");
    return 0;
}

static int write_out(const struct output *output, const char *text)
{
    int r = output_finish(output, text);

    if (r == 0)
        return 0;
    say("sub-track compare: cannot write '%s': %s", output->name, output_why(r));
    return EXIT_FAILED;
}

static bool would_replace_input(const struct compare *c, const struct sessions *all)
{
    for (size_t i = 0; i < all->n; i++)
        if (sub_track_check_output(c->command, c->output, all->list[i].file) < 0)
            return true;
    return c->config && sub_track_check_output(c->command, c->output, c->config) < 0;
}

static int compare(const struct compare *c)
{
    const struct gput_callbacks on = { .warn = say_warning };
    enum gput_statistic statistic = GPUT_MEAN;
    struct sessions all = { 0 };
    struct output output = { .fd = -1 };
    struct gput_error err;
    struct refusal why;
    char *text = NULL;
    int r, status = EXIT_USAGE;

    if (gather(c, &all, &statistic, &why) < 0) {
        say("sub-track compare: %s", why.text);
    } else if (would_replace_input(c, &all)) {
        status = EXIT_USAGE; /* has been said */
    } else if (output_prepare("--output", c->output, &output, &why) < 0) {
        say("sub-track compare: %s", why.text);
    } else {
        r = gput_sub_compare(all.list, all.n, statistic, c->format, &on, &text, &err);
        if (r < 0)
            say("sub-track compare: %s", err.text);
        status = r < 0 ? EXIT_FAILED : write_out(&output, text);
    }
    free(text);
    output_free(&output);
    sessions_free(&all);
    return status;
}

int sub_track_compare(const struct sub_command *command, int argc, char **argv)
{
    struct compare c = { .command = command, .format = GPUT_TEXT };
    int status = EXIT_USAGE;

    if (sub_track_parse(command, argc, argv, take, &c) >= 0)
        status = compare(&c);
    sessions_free(&c.given);
    return status;
}
