/* analyze.c - `gpu-tracker sub-track analyze`: what each code block took. */
#include "gput.h"
#include "output/exit_codes.h"
#include "output/output.h"
#include "output/say.h"
#include "sub_track/sub_track.h"
#include "terminal/bars.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct analyze {
    struct given given;
    const char *tf, *stf, *output;
    enum gput_format format;
    bool is_full;
};

#define KEEP(member) AT(struct analyze, member)
const struct option_def sub_analyze_options[] = {
    { "tf", "<tracking-file>", "The tracking file of the run, .csv or .sqlite.", .kind = KIND_FILE,
      KEEP(tf) },
    { "stf", "<sub-track-file>", "The file with the marks of its code blocks, .csv or .sqlite.",
      .kind = KIND_FILE, KEEP(stf) },
    { "output", "<output>",
      "File to store the analysis in; without it, it goes to standard output.", .letter = 'o',
      .kind = KIND_FILE, KEEP(output) },
    FORMAT_OPTION(struct analyze, format, "Format of the analysis, 'text' by default."),
    { "full", NULL,
      "Add unfinished calls, wall time, and exact CPU time and peaks where the marks have them.",
      KEEP(is_full) },
    { .name = NULL },
};

/* On a terminal the bars stand last, where one looks. */
static int write_out(const struct gput_analysis *analysis, const struct analyze *a,
                     const struct output *output)
{
    char *text = NULL;
    int r = gput_analysis_format(analysis, a->format, a->is_full, &text);

    r = r < 0 ? r : output_finish(output, text);
    free(text);
    if (r < 0) {
        say("sub-track analyze: cannot write '%s': %s", output->name, output_why(r));
        return EXIT_FAILED;
    }
    if (!a->output && a->format == GPUT_TEXT && isatty(STDOUT_FILENO))
        bars_print(analysis);
    return 0;
}

static int analyze(const struct analyze *a)
{
    const struct gput_callbacks on = { .warn = say_warning };
    struct gput_analysis *analysis = NULL;
    struct gput_error err;
    struct output output;
    struct refusal why;
    char label[LABEL_SIZE];
    int r, status;

    option_label_named(&a->given, "output", label);
    if (output_prepare(label, a->output, &output, &why) < 0) {
        say("sub-track analyze: %s", why.text);
        output_free(&output);
        return EXIT_USAGE;
    }
    r = gput_sub_analyze(a->tf, a->stf, &on, &analysis, &err);
    if (r < 0)
        say("sub-track analyze: %s", err.text);
    status = r == -EINVAL ? EXIT_USAGE : r < 0 ? EXIT_FAILED : write_out(analysis, a, &output);
    gput_analysis_close(analysis);
    output_free(&output);
    return status;
}

int sub_track_analyze(const struct command *command, int argc, char **argv)
{
    struct analyze a = { .format = GPUT_TEXT };

    if (command_parse_alone(command, &a.given, argc, argv) < 0)
        return EXIT_USAGE;
    if (!a.tf || !a.stf) {
        say("sub-track analyze: option '--%s' is missing", a.tf ? "stf" : "tf");
        return EXIT_USAGE;
    }
    if (sub_track_check_output(&a.given, a.output, a.tf) < 0 ||
        sub_track_check_output(&a.given, a.output, a.stf) < 0)
        return EXIT_USAGE;
    return analyze(&a);
}
