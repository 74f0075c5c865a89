/* export.c - `gpu-tracker export`: the figures of finished runs for other programs. */
#include "commands/commands.h"
#include "gput.h"
#include "output/exit_codes.h"
#include "output/output.h"
#include "output/say.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* In the order of enum gput_export_format. */
static const char *const formats[] = { "prometheus", "openmetrics", "otlp", "csv", "jsonl", NULL };
enum { UNSET = -1 };

struct export
{
    struct given given;
    int format;
    const char *output;
    struct many labels;
    bool no_redact;
};

#define KEEP(member) AT(struct export, member)
const struct option_def export_options[] = {
    { "to", "<format>", "The format to write.", .kind = KIND_INDEX, .choices = formats,
      KEEP(format) },
    { "output", "<file>", "Write to a file, which is replaced, not to standard output.",
      .letter = 'o', .kind = KIND_FILE, KEEP(output) },
    { "label", "<name=value>", "A label for each figure; may be given several times.",
      .kind = KIND_MANY, KEEP(labels), .key = "labels" },
    { "no-redact", NULL, "Leave passwords, tokens and the like in the command.", KEEP(no_redact) },
    { .name = NULL },
};

static int write_text(const struct export *e, const char *label, const char *text)
{
    struct output output = { .fd = -1 };
    struct refusal why;
    int r = 0;

    if (!e->output) {
        fputs(text, stdout);
        return 0;
    }
    if (output_prepare(label, e->output, &output, &why) < 0) {
        say("export: %s", why.text);
        r = EXIT_USAGE;
    } else if (output_finish(&output, text) < 0) {
        say("export: cannot write '%s'", e->output);
        r = EXIT_FAILED;
    }
    output_free(&output);
    return r;
}

static int export_files(const struct export *e, char **files, int n)
{
    const struct gput_callbacks on = { .warn = say_warning };
    struct gput_export_options o = GPUT_EXPORT_OPTIONS_INIT;
    struct gput_error err = { .field = "" };
    char *labels = many_lines(&e->labels), *text = NULL, label[LABEL_SIZE];
    int r, id;

    o.format = (enum gput_export_format)e->format;
    o.labels = labels;
    o.no_redact = e->no_redact;
    r = gput_export_files((const char *const *)files, (size_t)n, &o, &on, &text, &err);
    free(labels);
    if (r == 0) {
        r = write_text(e, option_label_named(&e->given, "output", label), text);
        free(text);
        return r;
    }
    id = option_by_key(e->given.options, err.field);
    if (id >= 0)
        say("export: %s: %s", option_label(&e->given, id, label), err.text);
    else
        say("export: %s", err.text);
    return err.field[0] ? EXIT_USAGE : EXIT_FAILED;
}

int command_export(const struct command *command, int argc, char **argv)
{
    struct export e = { .format = UNSET };
    int words = command_parse(command, &e.given, argc, argv);

    if (words < 0)
        return EXIT_USAGE;
    if (words == argc) {
        say("export: a file is missing: a result (-f json), a tracking file, a snapshot, a stream or the "
            "folder of a fleet");
        return EXIT_USAGE;
    }
    if (e.format == UNSET) {
        say("export: --to is missing: prometheus, openmetrics, otlp, csv or jsonl");
        return EXIT_USAGE;
    }
    return export_files(&e, argv + words, argc - words);
}
