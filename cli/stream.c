/* stream.c - `gpu-tracker system` and `gpu-tracker process`: a row for each interval. */
#include "commands.h"
#include "exit_codes.h"
#include "expand.h"
#include "gput.h"
#include "output.h"
#include "say.h"
#include "write.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const formats[] = { "csv", "jsonl", NULL };
static const char *const columns[] = { "kib", "mib", "all", "all,mib", NULL };

enum { INTERVAL, COUNT, OUTPUT, FORMAT, COLUMNS, PID, NO_CHILDREN };

#define SHARED_OPTIONS                                                                                 \
    [INTERVAL] = { "interval", "<seconds>", "Seconds from row to row, 1 by default.",                  \
                   NULL,       'i',         false },                                                   \
    [COUNT] = { "count", "<rows>", "End after so many rows.", NULL, 'n', false },                      \
    [OUTPUT] = { "output", "<file>", "Write to a file, which is replaced, not to standard output.",    \
                 NULL,     'o',      true },                                                           \
    [FORMAT] = { "format", "<format>", "Format of the rows, 'csv' by default.", formats, 'f', false }, \
    [COLUMNS] = {                                                                                      \
        "columns",                                                                                     \
        "<names>",                                                                                     \
        "Names and units: memory in KiB ('kib', the default) or in MiB ('mib'); with 'all' "           \
        "every further metric follows.",                                                               \
        columns,                                                                                       \
        0,                                                                                             \
        false                                                                                          \
    }

/* clang-format off */
const struct sub_option system_options[] = {
    SHARED_OPTIONS,
    { .name = NULL },
};
const struct sub_option process_options[] = {
    SHARED_OPTIONS,
    [PID] = { "pid", "<pid>", "The process to track; by default the one that started gpu-tracker.",
              NULL, 'p', false },
    [NO_CHILDREN] = { "no-children", NULL, "Leave out the descendants of the process.", NULL, 0,
                      false },
    { .name = NULL },
};
/* clang-format on */

struct stream {
    const struct sub_command *command;
    enum gput_stream kind;
    enum gput_columns names;
    enum gput_line format;
    const char *output;
    double interval;
    uint64_t count, n; /* rows wanted, 0: no end; rows written */
    pid_t pid;
    bool no_children;
    int fd, error;
};

/* False: there are no such. */
static bool names_of(const char *value, enum gput_columns *ret)
{
    static const enum gput_columns names[] = { GPUT_COLUMNS_KIB, GPUT_COLUMNS_MIB, GPUT_COLUMNS_ALL,
                                               GPUT_COLUMNS_ALL_MIB };

    for (size_t i = 0; columns[i]; i++) {
        if (strcmp(columns[i], value) != 0)
            continue;
        *ret = names[i];
        return true;
    }
    return false;
}

static int refuse_number(const struct stream *s, int option, const char *value, const char *what)
{
    say("%s: --%s: '%s' is not %s", s->command->name, s->command->options[option].name, value,
        what);
    return -1;
}

static int take_interval(struct stream *s, const char *value)
{
    char *end;

    s->interval = strtod(value, &end);
    if (end == value || *end || !(s->interval >= 0.001 && s->interval <= 1e6))
        return refuse_number(s, INTERVAL, value, "a number of seconds from 0.001 to 1000000");
    return 0;
}

static int take_whole(struct stream *s, int option, const char *value, unsigned long long most,
                      unsigned long long *ret)
{
    char *end;

    errno = 0;
    *ret = strtoull(value, &end, 10);
    if (end == value || *end || *value == '-' || errno || *ret == 0 || *ret > most)
        return refuse_number(s, option, value, option == PID ? "a process id" : "a number of rows");
    return 0;
}

static int take(void *ctx, int option, const char *value)
{
    struct stream *s = ctx;
    unsigned long long number = 0;

    switch (option) {
    case INTERVAL:
        return take_interval(s, value);
    case COUNT:
        if (take_whole(s, option, value, UINT64_MAX, &number) < 0)
            return -1;
        s->count = number;
        break;
    case PID:
        if (take_whole(s, option, value, INT32_MAX, &number) < 0)
            return -1;
        s->pid = (pid_t)number;
        break;
    case OUTPUT:
        s->output = value;
        break;
    case FORMAT:
        s->format = strcmp(value, "jsonl") == 0 ? GPUT_LINE_JSON : GPUT_LINE_CSV;
        break;
    case COLUMNS:
        (void)names_of(value, &s->names);
        break;
    case NO_CHILDREN:
        s->no_children = true;
        break;
    }
    return 0;
}

/* --- rows ----------------------------------------------------------------------------------- */

/* A row is handed to the kernel whole. */
static int put(struct stream *s, int r, char *text)
{
    if (r == 0)
        r = write_all(s->fd, text, strlen(text));
    free(text);
    if (r < 0)
        s->error = r;
    return r;
}

static void put_row(void *ctx, const struct gput_tracker *t)
{
    struct stream *s = ctx;
    char *text = NULL;
    int r;

    if (s->error || (s->count && s->n == s->count))
        return;
    r = gput_stream_line(t, s->kind, s->names, s->format, &text);
    s->n += put(s, r, text) == 0;
    if (s->error || s->n == s->count)
        gput_tracker_quit((struct gput_tracker *)t);
}

/* Returns the exit status where it was refused, else 0. */
static int begin(struct stream *s, struct gput_tracker **ret_t)
{
    struct gput_options o = GPUT_OPTIONS_INIT;
    struct gput_error err = { 0 };
    int r;

    o.flags = GPUT_ALIGN;
    o.flags |= s->kind == GPUT_STREAM_SYSTEM ? GPUT_STREAM_OF_SYSTEM : GPUT_STREAM_OF_PROCESS;
    o.flags |= s->no_children ? GPUT_MAIN_ONLY : 0;
    o.flags |= s->names & GPUT_COLUMNS_ALL ? GPUT_ALL_COLUMNS : 0;
    o.sleep_time = s->interval;
    o.on = (struct gput_callbacks){ .ctx = s, .warn = say_warning, .record = put_row };
    r = gput_tracker_open(&o, ret_t, &err);
    if (r == 0)
        r = gput_tracker_attach(*ret_t, s->pid, &err);
    if (r == 0)
        return 0;
    say("%s: %s%s", s->command->name, strcmp(err.field, "process_id") == 0 ? "--pid: " : "",
        err.text);
    return err.field[0] ? EXIT_USAGE : EXIT_FAILED;
}

static int put_all(struct stream *s, struct gput_tracker *t)
{
    char *text = NULL;
    int r = 0;

    if (s->format == GPUT_LINE_CSV) {
        r = gput_stream_header(s->kind, s->names, &text);
        r = put(s, r, text);
    }
    return r < 0 ? r : gput_tracker_wait(t);
}

/* --- the command ---------------------------------------------------------------------------- */

static int open_output(struct stream *s)
{
    struct refusal why;
    char host[256], *name = NULL;
    struct expansion by;

    s->fd = STDOUT_FILENO;
    if (!s->output)
        return 0;
    expand_here(host, &by);
    if (expand("--output", s->output, &by, &name, &why) < 0) {
        say("%s: %s", s->command->name, why.text);
        return -EINVAL;
    }
    s->fd = output_file_open(name, O_CREAT);
    if (s->fd < 0)
        say("%s: --output: '%s' cannot be written: %s", s->command->name, name, output_why(s->fd));
    free(name);
    return s->fd < 0 ? -EINVAL : 0;
}

/* A file is replaced only once there is something to be written to it. */
static int track(struct stream *s)
{
    struct gput_tracker *t = NULL;
    int status;

    (void)signal(SIGPIPE, SIG_IGN); /* whoever read the rows may have seen enough */
    status = begin(s, &t);
    if (status == 0 && open_output(s) < 0)
        status = EXIT_USAGE;
    else if (status == 0)
        status = put_all(s, t) < 0 ? EXIT_FAILED : 0;
    gput_tracker_close(t);
    if (s->error == -EPIPE)
        return 0;
    if (s->error)
        say("%s: %s: %s", s->command->name, s->output ? s->output : "standard output",
            strerror(-s->error));
    return s->error ? EXIT_FAILED : status;
}

int command_stream(const struct sub_command *command, int argc, char **argv)
{
    struct stream s = { .command = command, .interval = 1 };
    const char *names = getenv("RESOURCE_TRACKER_COLUMNS");

    if (names)
        (void)names_of(names, &s.names);
    s.kind = strcmp(command->name, "system") == 0 ? GPUT_STREAM_SYSTEM : GPUT_STREAM_PROCESS;
    if (sub_options_alone(command, command->name, argc, argv, take, &s) < 0)
        return EXIT_USAGE;
    if (s.kind == GPUT_STREAM_PROCESS && !s.pid)
        s.pid = getppid();
    return track(&s);
}
