/* sub_track.c - `gpu-tracker sub-track`: THE table of its subcommands. */
#include "sub_track/sub_track.h"

#include "output/output.h"
#include "output/say.h"

static const char *const start_or_stop[] = { "start", "stop", NULL };

const struct command sub_commands[] = {
    { .name = "sub-track mark",
      .run = sub_track_mark,
      .usage = "--stf=<file> --name=<name> [options] start|stop",
      .help = "Mark the start or the stop of a code block, for use in scripts.",
      .options = sub_mark_options,
      .words = start_or_stop },
    { .name = "sub-track run",
      .run = sub_track_run,
      .usage = "--stf=<file> --name=<name> [--exact] [--] command...",
      .help = "Run a command as a code block.",
      .options = sub_run_options,
      .words_end_options = true },
    { .name = "sub-track combine",
      .run = sub_track_combine,
      .usage = "--stf=<file> -p <file-path>...",
      .help = "Put the marks of several sub-tracking files into one.",
      .options = sub_combine_options,
      .words_are = 'p' },
    { .name = "sub-track analyze",
      .run = sub_track_analyze,
      .usage = "--tf=<tracking-file> --stf=<file> [options]",
      .help = "Tell what each code block took.",
      .options = sub_analyze_options },
    { .name = "sub-track compare",
      .run = sub_track_compare,
      .usage = "[options] -m <name>=<file-path>...",
      .help = "Compare the analyses of several runs.",
      .options = sub_compare_options,
      .words_are = 'm' },
    { .name = NULL },
};

int sub_track_check_output(const struct given *given, const char *output, const char *file)
{
    char label[LABEL_SIZE];

    if (!output_is(output, file))
        return 0;
    say("%s: %s: '%s' is one of the files to read", given->command->name,
        option_label_named(given, "output", label), output);
    return -1;
}
