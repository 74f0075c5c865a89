/* sub_track_analyze.c - `gpu-tracker sub-track analyze`: what each code block took. */
#include "bars.h"
#include "exit_codes.h"
#include "gput.h"
#include "output.h"
#include "say.h"
#include "sub_track.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const formats[] = { "text", "json", NULL };

enum { TF, STF, OUTPUT, FORMAT, FULL };

const struct sub_option sub_analyze_options[] = {
    [TF] = { "tf", "<tracking-file>", "The tracking file of the run, .csv or .sqlite.", NULL, 0,
             true },
    [STF] = { "stf", "<sub-track-file>",
              "The file with the marks of its code blocks, .csv or "
              ".sqlite.",
              NULL, 0, true },
    [OUTPUT] = { "output", "<output>",
                 "File to store the analysis in; without it, it goes to standard output.", NULL,
                 'o', true },
    [FORMAT] = { "format", "<format>", "Format of the analysis, 'text' by default.", formats, 'f',
                 false },
    [FULL] = { "full", NULL,
               "Add unfinished calls, wall time, and exact CPU time and peaks where the marks have "
               "them.",
               NULL, 0, false },
    { .name = NULL },
};

struct analyze {
    const char *tf, *stf, *output;
    enum gput_format format;
    int full;
};

static int take(void *ctx, int option, const char *value)
{
    struct analyze *a = ctx;

    switch (option) {
    case TF:
        a->tf = value;
        break;
    case STF:
        a->stf = value;
        break;
    case OUTPUT:
        a->output = value;
        break;
    case FORMAT:
        a->format = strcmp(value, "json") == 0 ? GPUT_JSON : GPUT_TEXT;
        break;
    case FULL:
        a->full = 1;
        break;
    }
    return 0;
}

/* On a terminal the bars stand last, where one looks. */
static int write_out(const struct gput_analysis *analysis, const struct analyze *a,
                     const struct output *output)
{
    char *text = NULL;
    int r = gput_analysis_format(analysis, a->format, a->full, &text);

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
    int r, status;

    if (output_prepare("--output", a->output, &output, &why) < 0) {
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

int sub_track_analyze(const struct sub_command *command, int argc, char **argv)
{
    struct analyze a = { .format = GPUT_TEXT };
    int words = sub_track_parse(command, argc, argv, take, &a);

    if (words < 0)
        return EXIT_USAGE;
    if (words < argc) {
        say("sub-track analyze: '%s' is not an option of it", argv[words]);
        return EXIT_USAGE;
    }
    if (!a.tf || !a.stf) {
        say("sub-track analyze: option '--%s' is missing", a.tf ? "stf" : "tf");
        return EXIT_USAGE;
    }
    if (sub_track_check_output(command, a.output, a.tf) < 0 ||
        sub_track_check_output(command, a.output, a.stf) < 0)
        return EXIT_USAGE;
    return analyze(&a);
}
