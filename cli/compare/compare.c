/* compare.c - `gpu-tracker compare`: what changed from one run, or group of runs, to another. */
#include "commands/commands.h"
#include "compare/groups.h"
#include "compare/outcome.h"
#include "gput.h"
#include "output/exit_codes.h"
#include "output/output.h"
#include "output/say.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct compare {
    struct given given;
    struct gput_comparison *c;
    const char *output;
    enum gput_comparison_format format;
};

static int set_fail_if(void *values, const char *text, struct refusal *ret_why)
{
    struct compare *compare = values;

    return groups_fail_if(compare->c, text, ret_why);
}

#define KEEP(member) AT(struct compare, member)
const struct option_def compare_options[] = {
    { "output", "<file>", "Where the comparison is written; without it, standard output.",
      .letter = 'o', .kind = KIND_FILE, KEEP(output) },
    { "format", "<format>", "Format of the comparison, 'text' by default.", .letter = 'f',
      .kind = KIND_INDEX, .choices = comparison_formats, KEEP(format) },
    { "fail-if", "<condition>",
      "Exit with status 1 where this holds: 'ram>+5%', 'gpu_util<-10%', 'time>+30s' of the change, "
      "'ram>4GB' of the new runs. May be repeated.",
      .kind = KIND_OWN, .set = set_fail_if },
    { .name = NULL },
};

static bool is_input(const char *output, char **words, int n)
{
    for (int i = 0; i < n; i++)
        if (output_is(output, words[i]))
            return true;
    return false;
}

/* How often a word was there before. */
static int times_before(char **words, int i)
{
    int n = 0;

    for (int k = 0; k < i; k++)
        n += strcmp(words[k], words[i]) == 0;
    return n;
}

static int compare(const struct compare *compare, char **words, int n)
{
    struct output output = { .fd = -1 };
    struct refusal why;
    char label[LABEL_SIZE];
    int status = 0;

    if (n < 2) {
        say("compare: two runs are needed at least, or two groups: "
            "base=a1.json,a2.json new=b1.json,b2.json");
        return EXIT_USAGE;
    }
    option_label_named(&compare->given, "output", label);
    if (compare->output && is_input(compare->output, words, n)) {
        say("compare: %s: '%s' is one of the files to read", label, compare->output);
        return EXIT_USAGE;
    }
    for (int i = 0; i < n && status == 0; i++)
        status = groups_add(compare->c, "compare", words[i], times_before(words, i));
    if (status == 0 && output_prepare(label, compare->output, &output, &why) < 0) {
        say("compare: %s", why.text);
        status = EXIT_USAGE;
    }
    if (status == 0)
        status = outcome_write(compare->c, compare->format, &output, "compare") < 0
                     ? EXIT_FAILED
                     : outcome_judge(compare->c, "compare", compare->output || compare->format);
    output_free(&output);
    return status;
}

int command_compare(const struct command *command, int argc, char **argv)
{
    struct compare c = { .output = NULL };
    int words, status = EXIT_USAGE;

    if (gput_comparison_open(&c.c) < 0) {
        say("compare: %s", strerror(ENOMEM));
        return EXIT_FAILED;
    }
    words = command_parse(command, &c.given, argc, argv);
    if (words >= 0)
        status = compare(&c, argv + words, argc - words);
    gput_comparison_close(c.c);
    return status;
}
