/* compare.c - `gpu-tracker sub-track compare`: analyses of several runs side by side. */
#include "gput.h"
#include "output/exit_codes.h"
#include "output/output.h"
#include "output/say.h"
#include "sub_track/config.h"
#include "sub_track/sub_track.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const char *const statistics[] = { "min", "max", "mean", "std", NULL }; /* gput_statistic */

struct compare {
    struct given given;
    const char *output, *config;
    enum gput_format format;
    enum gput_statistic statistic;
    struct sessions sessions; /* by -m */
};

/* "name=path": the name ends at the first '='. */
static int add_session(void *values, const char *word, struct refusal *ret_why)
{
    struct compare *c = values;
    const char *equals = strchr(word, '=');
    char *name;
    int r;

    if (!equals || equals == word || !equals[1])
        return refuse(ret_why, "'%s' is not of the form <name>=<file-path>", word);
    name = strndup(word, (size_t)(equals - word));
    r = name ? sessions_set(&c->sessions, name, equals + 1, ret_why)
             : refuse(ret_why, "%s", strerror(ENOMEM));
    free(name);
    return r;
}

#define KEEP(member) AT(struct compare, member)
const struct option_def sub_compare_options[] = {
    { "output", "<output>",
      "File to store the comparison in; without it, it goes to standard output.", .letter = 'o',
      .kind = KIND_FILE, KEEP(output) },
    FORMAT_OPTION(struct compare, format, "Format of the comparison, 'text' by default."),
    { "cconfig", "<config-file>",
      "JSON file with the keys file_path_map (names of sessions and their files) and statistic; "
      "options of the command line win over it.",
      .kind = KIND_FILE, KEEP(config) },
    { "m", "<name>=<file-path>",
      "A session and the file that 'analyze -f json' wrote of it; may be repeated.", .letter = 'm',
      .kind = KIND_OWN, .set = add_session, .is_file = true },
    { "stat", "<statistic>", "The statistic to compare, 'mean' by default.", .kind = KIND_INDEX,
      .choices = statistics, KEEP(statistic) },
    { .name = NULL },
};

/* The config file first, so that the command line wins. */
static int gather(const struct compare *c, struct sessions *all, enum gput_statistic *statistic,
                  struct refusal *why)
{
    if (c->config && sub_track_config(c->config, all, statistic, why) < 0)
        return -EINVAL;
    for (size_t i = 0; i < c->sessions.n; i++)
        if (sessions_set(all, c->sessions.list[i].name, c->sessions.list[i].file, why) < 0)
            return -EINVAL;
    if (c->given.origin[option_by_name(sub_compare_options, "stat")])
        *statistic = c->statistic;
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
        if (sub_track_check_output(&c->given, c->output, all->list[i].file) < 0)
            return true;
    return c->config && sub_track_check_output(&c->given, c->output, c->config) < 0;
}

static int compare(const struct compare *c)
{
    const struct gput_callbacks on = { .warn = say_warning };
    enum gput_statistic statistic = GPUT_MEAN;
    struct sessions all = { 0 };
    struct output output = { .fd = -1 };
    struct gput_error err;
    struct refusal why;
    char *text = NULL, label[LABEL_SIZE];
    int r, status = EXIT_USAGE;

    if (gather(c, &all, &statistic, &why) < 0) {
        say("sub-track compare: %s", why.text);
    } else if (would_replace_input(c, &all)) {
        status = EXIT_USAGE; /* has been said */
    } else if (output_prepare(option_label_named(&c->given, "output", label), c->output, &output,
                              &why) < 0) {
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

int sub_track_compare(const struct command *command, int argc, char **argv)
{
    struct compare c = { .format = GPUT_TEXT };
    int status = EXIT_USAGE;

    if (command_parse(command, &c.given, argc, argv) >= 0)
        status = compare(&c);
    sessions_free(&c.sessions);
    return status;
}
