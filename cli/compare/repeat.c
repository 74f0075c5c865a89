/* repeat.c - `gpu-tracker repeat`: a command several times, or several commands in turn. */
#include "commands/commands.h"
#include "compare/groups.h"
#include "compare/outcome.h"
#include "compare/runner.h"
#include "gput.h"
#include "output/exit_codes.h"
#include "output/output.h"
#include "output/say.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { RUNS = 5, MOST_COMMANDS = 16 };

struct repeat {
    struct given given;
    struct gput_comparison *c;
    const char *output;
    enum gput_comparison_format format;
    int n_runs, n_warmups;
    bool ignores_failure;
    struct runner runner;
    struct runner_command commands[MOST_COMMANDS];
    int n_commands;
};

static int set_fail_if(void *values, const char *text, struct refusal *ret_why)
{
    return groups_fail_if(((struct repeat *)values)->c, text, ret_why);
}

/* The first place is that of the command itself. */
static int set_compare(void *values, const char *text, struct refusal *ret_why)
{
    struct repeat *repeat = values;

    if (!text[strspn(text, " \t\n")])
        return refuse(ret_why, "the command is empty");
    if (repeat->n_commands == MOST_COMMANDS)
        return refuse(ret_why, "there are more than %d commands", MOST_COMMANDS);
    repeat->commands[repeat->n_commands++].text = text;
    return 0;
}

#define KEEP(member) AT(struct repeat, member)
const struct option_def repeat_options[] = {
    { "runs", "<number>", "How often each command is run and measured, 5 by default.",
      .letter = 'n', .kind = KIND_COUNT, .min = 1, .max = 100000, KEEP(n_runs) },
    { "warmup", "<number>", "So many runs of each before, which do not count.", .kind = KIND_COUNT,
      .max = 100000, KEEP(n_warmups) },
    { "compare", "<command>",
      "Another command, as --execute takes it, whose runs take turns with the first one's and are "
      "compared with them; may be repeated.",
      .kind = KIND_OWN, .set = set_compare },
    { "fail-if", "<condition>",
      "With --compare: exit with status 1 where this holds, as for 'compare': 'ram>+5%'.",
      .kind = KIND_OWN, .set = set_fail_if, .needs = "compare" },
    { "ignore-failure", NULL, "Go on where a command ends with another status than 0.",
      KEEP(ignores_failure) },
    { "show-output", NULL,
      "Let the commands have standard input and output; without it, /dev/null.",
      KEEP(runner.shows_output) },
    { "results", "<folder>", "Keep the result of each run (JSON, --full) in this folder.",
      .kind = KIND_FILE, KEEP(runner.results) },
    { "output", "<file>", "Where the outcome is written; without it, standard output.",
      .letter = 'o', .kind = KIND_FILE, KEEP(output) },
    { "format", "<format>", "Format of the outcome, 'text' by default.", .letter = 'f',
      .kind = KIND_INDEX, .choices = comparison_formats, KEEP(format) },
    { .name = NULL },
};

/* In place, on a terminal alone. */
static void show_progress(const struct repeat *repeat, int round, int command)
{
    int total = repeat->n_warmups + repeat->n_runs;
    bool is_warmup = round < repeat->n_warmups;

    if (!isatty(STDERR_FILENO))
        return;
    if (round == total)
        fputs("\r\033[K", stderr);
    else
        fprintf(stderr, "\r\033[K%s %d of %d%s", is_warmup ? "warmup" : "run",
                is_warmup ? round + 1 : round - repeat->n_warmups + 1,
                is_warmup ? repeat->n_warmups : repeat->n_runs,
                repeat->n_commands > 1 ? (command ? ", the other command" : ", the command") : "");
}

static int add_run(struct repeat *repeat, const struct runner_command *command, const char *result)
{
    const struct gput_callbacks on = { .warn = say_warning };
    struct gput_error err;

    if (!result) {
        say("repeat: a run left no result");
        return EXIT_FAILED;
    }
    if (gput_comparison_add_file(repeat->c, command->name, repeat->runner.results ? result : NULL,
                                 result, NULL, &on, &err) < 0) {
        say("repeat: %s", err.text);
        return EXIT_FAILED;
    }
    return 0;
}

/* In turn: what the machine does meanwhile meets all of them. */
static int run_all(struct repeat *repeat)
{
    int total = repeat->n_warmups + repeat->n_runs, status = 0;

    for (int round = 0; status == 0 && round < total; round++)
        for (int i = 0; status == 0 && i < repeat->n_commands; i++) {
            const struct runner_command *command = &repeat->commands[i];
            const char *result;

            show_progress(repeat, round, i);
            status = runner_run(&repeat->runner, command, &result);
            if (repeat->runner.told)
                return status ? status : EXIT_SIGNAL_BASE + repeat->runner.told;
            if (repeat->ignores_failure && result)
                status = 0;
            if (status == 0 && round >= repeat->n_warmups)
                status = add_run(repeat, command, result);
        }
    show_progress(repeat, total, 0);
    return status;
}

/* The same command twice is still two groups. */
static int name_commands(struct repeat *repeat)
{
    for (int i = 0; i < repeat->n_commands; i++) {
        struct runner_command *command = &repeat->commands[i];
        int same = 0;
        char *name;

        if (runner_name(command) < 0)
            return -ENOMEM;
        for (int k = 0; k < i; k++)
            same += strcmp(repeat->commands[k].name, command->name) == 0;
        if (same == 0)
            continue;
        if (asprintf(&name, "%s (%d)", command->name, same + 1) < 0)
            return -ENOMEM;
        free(command->name);
        command->name = name;
    }
    return 0;
}

static int repeat(struct repeat *repeat)
{
    struct output output = { .fd = -1 };
    struct refusal why;
    char label[LABEL_SIZE];
    int status;

    repeat->runner.label = "repeat";
    option_label_named(&repeat->given, "output", label);
    if (name_commands(repeat) < 0 || output_prepare(label, repeat->output, &output, &why) < 0) {
        say("repeat: %s", repeat->commands[0].name ? why.text : strerror(ENOMEM));
        output_free(&output);
        return EXIT_USAGE;
    }
    status = runner_open(&repeat->runner);
    if (status == 0)
        status = run_all(repeat);
    if (status == 0)
        status = outcome_write(repeat->c, repeat->format, &output, "repeat") < 0
                     ? EXIT_FAILED
                     : outcome_judge(repeat->c, "repeat", repeat->output || repeat->format);
    runner_close(&repeat->runner);
    output_free(&output);
    return status;
}

int command_repeat(const struct command *command, int argc, char **argv)
{
    struct repeat r = { .n_runs = RUNS, .n_commands = 1 };
    int word, status = EXIT_USAGE;

    if (gput_comparison_open(&r.c) < 0) {
        say("repeat: %s", strerror(ENOMEM));
        return EXIT_FAILED;
    }
    word = command_parse(command, &r.given, argc, argv);
    r.commands[0].words = argv + (word < 0 ? 0 : word);
    if (word >= 0 && (word == argc || !*argv[word]))
        say("repeat: no command to run");
    else if (word >= 0)
        status = repeat(&r);
    for (int i = 0; i < r.n_commands; i++)
        free(r.commands[i].name);
    gput_comparison_close(r.c);
    return status;
}
