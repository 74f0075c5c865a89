/* stream.c - `gpu-tracker system` and `gpu-tracker process`: a row for each interval. */
#include "commands/commands.h"
#include "gput.h"
#include "output/exit_codes.h"
#include "output/expand.h"
#include "output/output.h"
#include "output/say.h"
#include "output/write.h"
#include "run/exports.h"
#include "terminal/terminal.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* In the order of enum gput_line and enum gput_columns. */
static const char *const formats[] = { "csv", "jsonl", "table", "none", NULL };
enum { TABLE = GPUT_LINE_JSON + 1, NO_ROWS, UNSET };
static const char *const columns[] = { "kib", "mib", "all", "all,mib", NULL };

struct stream {
    struct given given;
    const struct command *command;
    enum gput_stream kind;
    enum gput_columns names;
    int format; /* enum gput_line, or TABLE */
    const char *output;
    double interval;
    int count;  /* rows wanted, 0: no end */
    uint64_t n; /* rows written */
    pid_t pid;
    bool no_children;
    int fd, error;
    struct exports exports;
    struct gput_exporter *exporter; /* NULL: none */
};

#define KEEP(member) AT(struct stream, member)
/* clang-format off */
#define SHARED_OPTIONS                                                                             \
    { "interval", "<seconds>", "Seconds from row to row, 1 by default.", .letter = 'i',            \
      .kind = KIND_SECONDS, .max = 1e6, KEEP(interval) },                                          \
    { "count", "<rows>", "End after so many rows.", .letter = 'n', .kind = KIND_COUNT, .min = 1,   \
      KEEP(count) },                                                                               \
    { "output", "<file>", "Write to a file, which is replaced, not to standard output.",           \
      .letter = 'o', .kind = KIND_FILE, KEEP(output) },                                               \
    { "format", "<format>", "Format of the rows: by default a table on a terminal, none with --listen and the like, else CSV.",       \
      .letter = 'f',                                                                                \
      .kind = KIND_INDEX, .choices = formats, KEEP(format) },                                      \
    { "columns", "<names>",                                                                        \
      "Names and units: memory in KiB ('kib', the default) or in MiB ('mib'); with 'all' every "   \
      "further metric follows.", .kind = KIND_INDEX, .choices = columns, KEEP(names) },            \
    { OPTION_METRICS_FILE(KEEP(exports.metrics_file)) },                                           \
    { OPTION_KEEP_METRICS(KEEP(exports.keep_metrics)) },                                           \
    { OPTION_LISTEN(KEEP(exports.listen)) },                                                       \
    { OPTION_PUSH(KEEP(exports.push)) },                                                           \
    { OPTION_PUSH_DELETE(KEEP(exports.push_delete)) },                                             \
    { OPTION_OTLP(KEEP(exports.otlp)) },                                                           \
    { OPTION_LABEL(KEEP(exports.labels)) }

const struct option_def system_options[] = {
    SHARED_OPTIONS,
    { .name = NULL },
};
const struct option_def process_options[] = {
    SHARED_OPTIONS,
    { "pid", "<pid>", "The process to track; by default the one that started gpu-tracker.",
      .letter = 'p', .kind = KIND_PROCESS, KEEP(pid) },
    { "no-children", NULL, "Leave out the descendants of the process.", KEEP(no_children) },
    { .name = NULL },
};
/* clang-format on */

/* --- rows ----------------------------------------------------------------------------------- */

/* A row is handed to the kernel whole. */
static int write_text(struct stream *s, int r, char *text)
{
    if (r == 0 && text)
        r = write_all(s->fd, text, strlen(text));
    free(text);
    if (r < 0)
        s->error = r;
    return r;
}

/* Heads stand on each screen; on what is none, once. */
static int table_row(const struct stream *s, const struct gput_tracker *t, char **ret_text)
{
    int rows = terminal_height(), per_screen = rows > 3 ? rows - 2 : 0;
    bool has_heads = per_screen ? s->n % (unsigned)per_screen == 0 : s->n == 0;

    return gput_stream_table(t, s->kind, s->names, terminal_width(0), has_heads, ret_text);
}

static void write_row(void *ctx, const struct gput_tracker *t)
{
    struct stream *s = ctx;
    char *text = NULL;
    int r;

    if (s->error || (s->count && s->n == (uint64_t)s->count))
        return;
    if (s->exporter)
        gput_exporter_update(s->exporter, t);
    r = s->format == NO_ROWS ? 0
        : s->format == TABLE
            ? table_row(s, t, &text)
            : gput_stream_line(t, s->kind, s->names, (enum gput_line)s->format, &text);
    s->n += write_text(s, r, text) == 0;
    if (s->error || s->n == (uint64_t)s->count)
        gput_tracker_quit((struct gput_tracker *)t);
}

/* Returns the exit status where it was refused, else 0. */
static int begin(struct stream *s, struct gput_tracker **ret_t)
{
    struct gput_options o = GPUT_OPTIONS_INIT;
    struct gput_error err = { 0 };
    char label[LABEL_SIZE];
    struct gput_launch launch = { .size = sizeof(launch) };
    const struct exports_about about = { .prefix = label,
                                         .task = s->command->name,
                                         .launch = &launch };
    int r, status;

    o.flags = GPUT_ALIGN;
    o.flags |= s->kind == GPUT_STREAM_SYSTEM ? GPUT_STREAM_OF_SYSTEM : GPUT_STREAM_OF_PROCESS;
    o.flags |= s->no_children ? GPUT_MAIN_ONLY : 0;
    o.flags |= s->names & GPUT_COLUMNS_ALL ? GPUT_ALL_COLUMNS : 0;
    o.sleep_time = s->interval;
    o.on = (struct gput_callbacks){ .ctx = s, .warn = say_warning, .record = write_row };
    r = gput_tracker_open(&o, ret_t, &err);
    if (r == 0) {
        snprintf(label, sizeof(label), "%s: ", s->command->name);
        gput_launch_detect(&launch);
        status = exports_start(&s->exports, &s->given, &about, *ret_t, &o.on, &s->exporter);
        if (status)
            return status;
    }
    if (r == 0)
        r = gput_tracker_attach(*ret_t, s->pid, &err);
    if (r == 0)
        return 0;
    if (strcmp(err.field, "process_id") == 0 && s->kind == GPUT_STREAM_PROCESS)
        say("%s: %s: %s", s->command->name, option_label_named(&s->given, "pid", label), err.text);
    else
        say("%s: %s", s->command->name, err.text);
    return err.field[0] ? EXIT_USAGE : EXIT_FAILED;
}

static int write_rows(struct stream *s, struct gput_tracker *t)
{
    char *text = NULL;
    int r = 0;

    if (s->format == GPUT_LINE_CSV) {
        r = gput_stream_header(s->kind, s->names, &text);
        r = write_text(s, r, text);
    }
    return r < 0 ? r : gput_tracker_wait(t);
}

/* --- the command ---------------------------------------------------------------------------- */

static int open_output(struct stream *s)
{
    struct refusal why;
    char host[256], label[LABEL_SIZE], *name = NULL;
    struct expansion by;

    s->fd = STDOUT_FILENO;
    if (!s->output)
        return 0;
    expand_here(host, &by);
    option_label_named(&s->given, "output", label);
    if (expand(label, s->output, &by, &name, &why) < 0) {
        say("%s: %s", s->command->name, why.text);
        return -EINVAL;
    }
    s->fd = output_file_open(name, O_CREAT);
    if (s->fd < 0)
        say("%s: %s: '%s' cannot be written: %s", s->command->name, label, name, output_why(s->fd));
    free(name);
    return s->fd < 0 ? -EINVAL : 0;
}

/* A file is replaced only once there is something to be written to it. */
static int track(struct stream *s)
{
    struct gput_tracker *t = NULL;
    int status;

    (void)signal(SIGPIPE, SIG_IGN); /* a reader of the rows may have seen enough */
    status = begin(s, &t);
    if (status == 0 && open_output(s) < 0)
        status = EXIT_USAGE;
    else if (status == 0)
        status = write_rows(s, t) < 0 ? EXIT_FAILED : 0;
    if (s->exporter && status == 0)
        gput_exporter_end(s->exporter, t);
    s->exporter = gput_exporter_close(s->exporter);
    gput_tracker_close(t);
    if (s->error == -EPIPE)
        return 0;
    if (s->error)
        say("%s: %s: %s", s->command->name, s->output ? s->output : "standard output",
            strerror(-s->error));
    return s->error ? EXIT_FAILED : status;
}

/* Of the environment: what is not known there is left alone. */
static void read_columns(const char *text, enum gput_columns *ret)
{
    for (int i = 0; text && columns[i]; i++)
        if (strcmp(columns[i], text) == 0)
            *ret = (enum gput_columns)i;
}

int command_stream(const struct command *command, int argc, char **argv)
{
    struct stream s = { .command = command, .interval = 1, .format = UNSET };

    read_columns(getenv("RESOURCE_TRACKER_COLUMNS"), &s.names);
    s.kind = strcmp(command->name, "system") == 0 ? GPUT_STREAM_SYSTEM : GPUT_STREAM_PROCESS;
    if (command_parse_alone(command, &s.given, argc, argv) < 0)
        return EXIT_USAGE;
    if (s.format == UNSET)
        s.format = exports_are_wanted(&s.exports) && !s.output ? NO_ROWS
                   : !s.output && isatty(STDOUT_FILENO)        ? TABLE
                                                               : GPUT_LINE_CSV;
    if (s.kind == GPUT_STREAM_PROCESS && !s.pid)
        s.pid = getppid();
    return track(&s);
}
