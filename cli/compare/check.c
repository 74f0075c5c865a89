/* check.c - `gpu-tracker check`: a command beside its baseline.  What is worse is measured once more
 * before it counts. */
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

enum { MOST_CONDITIONS = 16, UPDATE_RUNS = 5, DISCOVERY_SECONDS = 15 };

static const char baseline_group[] = "baseline", now_group[] = "now";

struct check {
    struct given given;
    const char *baseline, *output;
    enum gput_comparison_format format;
    int n_runs;
    bool is_update;
    const char *conditions[MOST_CONDITIONS];
    int n_conditions;
    struct runner runner;
    struct runner_command command;
    struct gput_discovery *discovery; /* of the machine */
};

static int set_fail_if(void *values, const char *text, struct refusal *ret_why)
{
    struct check *check = values;
    struct gput_comparison *c;
    int r;

    if (check->n_conditions == MOST_CONDITIONS)
        return refuse(ret_why, "there are more than %d conditions", MOST_CONDITIONS);
    if (gput_comparison_open(&c) < 0)
        return refuse(ret_why, "%s", strerror(ENOMEM));
    r = groups_fail_if(c, text, ret_why);
    gput_comparison_close(c);
    check->conditions[check->n_conditions++] = text;
    return r;
}

#define KEEP(member) AT(struct check, member)
const struct option_def check_options[] = {
    { "baseline", "<file>", "What earlier runs used; --update-baseline makes it.",
      .kind = KIND_FILE, KEEP(baseline) },
    { "update-baseline", NULL, "Measure the command and keep that as the baseline.",
      KEEP(is_update) },
    { "runs", "<number>",
      "How often the command is run each time: 1, or 5 with --update-baseline, by default.",
      .letter = 'n', .kind = KIND_COUNT, .min = 1, .max = 100000, KEEP(n_runs) },
    { "fail-if", "<condition>",
      "What must not happen, as for 'compare': 'ram>+5%'; may be repeated. Without it, any figure "
      "that is worse by more than noise; wall time is none.",
      .kind = KIND_OWN, .set = set_fail_if },
    { "results", "<folder>", "Keep the result of each run (JSON, --full) in this folder.",
      .kind = KIND_FILE, KEEP(runner.results) },
    { "output", "<file>", "Where the comparison is written; without it, standard output.",
      .letter = 'o', .kind = KIND_FILE, KEEP(output) },
    { "format", "<format>", "Format of the comparison, 'text' by default.", .letter = 'f',
      .kind = KIND_INDEX, .choices = comparison_formats, KEEP(format) },
    { .name = NULL },
};

/* Its fingerprint; NULL: nobody knows. */
static const struct gput_server *machine_of(struct check *check)
{
    if (!check->discovery &&
        gput_discovery_start(NULL, GPUT_DISCOVER_SERVER, NULL, &check->discovery) < 0)
        return NULL;
    (void)gput_discovery_wait(check->discovery, DISCOVERY_SECONDS);
    return gput_discovery_server(check->discovery);
}

/* One comparison with the baseline in it, if there is one.  0 or the exit status. */
static int open_comparison(struct check *check, bool has_warnings, struct gput_comparison **ret)
{
    const struct gput_callbacks on = { .warn = has_warnings ? say_warning : NULL };
    struct gput_comparison *c;
    struct gput_error err;
    int r;

    if (gput_comparison_open(&c) < 0) {
        say("check: %s", strerror(ENOMEM));
        return EXIT_TRACKER_FAILED;
    }
    *ret = c;
    for (int i = 0; i < check->n_conditions; i++)
        (void)gput_comparison_fail_if(c, check->conditions[i], NULL); /* checked before */
    r = gput_baseline_read(c, baseline_group, check->baseline, machine_of(check), &on, &err);
    if (r == 0 || (check->is_update && r == -ENOENT))
        return 0;
    if (r == -ENOENT)
        say("check: there is no baseline '%s': make it with --update-baseline", check->baseline);
    else
        say("check: %s", err.text);
    return EXIT_USAGE;
}

static int run_all(struct check *check, struct gput_comparison *c)
{
    const struct gput_callbacks on = { .warn = say_warning };
    struct gput_error err;
    const char *result;

    for (int i = 0; i < check->n_runs; i++) {
        int status = runner_run(&check->runner, &check->command, &result);

        if (status || check->runner.told)
            return status ? status : EXIT_SIGNAL_BASE + check->runner.told;
        if (result && gput_comparison_add_file(c, now_group, check->runner.results ? result : NULL,
                                               result, NULL, &on, &err) == 0)
            continue;
        say("check: %s", result ? err.text : "a run left no result");
        return EXIT_TRACKER_FAILED;
    }
    return 0;
}

static void say_line(void *ctx, const char *line)
{
    say("check: %s%s", (const char *)ctx, line);
}

/* How much is wrong; says it where `when` is not NULL. */
static int count_faults(const struct check *check, const struct gput_comparison *c,
                        const char *when)
{
    void (*say_fault)(void *, const char *) = when ? say_line : NULL;

    return check->n_conditions > 0 ? gput_comparison_failed(c, say_fault, (void *)when)
                                   : gput_comparison_worse(c, say_fault, (void *)when);
}

static int write_comparison(const struct check *check, const struct gput_comparison *c,
                            const struct output *output)
{
    return outcome_write(c, check->format, output, "check") < 0 ? EXIT_TRACKER_FAILED : 0;
}

static int write_baseline(struct check *check, const struct gput_comparison *c)
{
    static const struct gput_server unknown = { .n_gpus = -1 };
    const struct gput_server *machine = machine_of(check);
    char *text = NULL;
    int r = gput_baseline_format(c, now_group, check->command.name, machine ? machine : &unknown,
                                 &text);

    if (r == 0)
        r = gput_file_replace(check->baseline, text);
    free(text);
    if (r == 0)
        return 0;
    say("check: cannot write the baseline '%s': %s", check->baseline, output_why(r));
    return EXIT_TRACKER_FAILED;
}

static int update(struct check *check, const struct output *output)
{
    struct gput_comparison *c = NULL;
    int status = open_comparison(check, false, &c);

    if (status == 0)
        status = run_all(check, c);
    if (status == 0)
        status = write_baseline(check, c);
    if (status == 0)
        status = write_comparison(check, c, output);
    gput_comparison_close(c);
    return status;
}

/* Measures and compares; `ret_faults` is how much is wrong. */
static int measure(struct check *check, bool is_first, struct gput_comparison **ret_c,
                   int *ret_faults)
{
    int status = open_comparison(check, is_first, ret_c);

    if (status == 0)
        status = run_all(check, *ret_c);
    if (status == 0)
        *ret_faults = count_faults(check, *ret_c, is_first ? "worse once: " : "worse again: ");
    return status;
}

static int judge(struct check *check, const struct output *output)
{
    struct gput_comparison *c = NULL, *again = NULL;
    int faults = 0, once, status = measure(check, true, &c, &faults);

    once = faults;
    if (status == 0 && faults > 0) {
        status = measure(check, false, &again, &faults);
        gput_comparison_close(c);
        c = again;
    }
    if (status == 0)
        status = write_comparison(check, c, output);
    gput_comparison_close(c);
    if (status)
        return status;
    say_bare(faults ? "check: worse than the baseline, measured twice"
             : once ? "check: passed; the first measurement was worse, the second was not"
                    : "check: passed");
    return faults ? EXIT_OVER_BASELINE : 0;
}

static int run_check(struct check *check)
{
    struct output output = { .fd = -1 };
    struct refusal why;
    char label[LABEL_SIZE];
    int status;

    check->runner.label = "check";
    check->runner.shows_output = true;
    if (check->n_runs == 0)
        check->n_runs = check->is_update ? UPDATE_RUNS : 1;
    if (runner_name(&check->command) < 0) {
        say("check: %s", strerror(ENOMEM));
        return EXIT_TRACKER_FAILED;
    }
    option_label_named(&check->given, "output", label);
    if (output_prepare(label, check->output, &output, &why) < 0) {
        say("check: %s", why.text);
        status = EXIT_USAGE;
    } else {
        status = runner_open(&check->runner);
    }
    if (status == 0)
        status = check->is_update ? update(check, &output) : judge(check, &output);
    runner_close(&check->runner);
    output_free(&output);
    return status;
}

int command_check(const struct command *command, int argc, char **argv)
{
    struct check check = { .baseline = NULL };
    int word = command_parse(command, &check.given, argc, argv), status = EXIT_USAGE;

    if (word < 0)
        return EXIT_USAGE;
    if (!check.baseline)
        say("check: --baseline is missing: the file that runs are compared with");
    else if (word == argc || !*argv[word])
        say("check: no command to run");
    else {
        check.command.words = argv + word;
        status = run_check(&check);
    }
    free(check.command.name);
    gput_discovery_close(check.discovery);
    return status;
}
