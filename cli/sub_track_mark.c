/* sub_track_mark.c - `gpu-tracker sub-track mark`: a code block of a shell script begins or ends. */
#include "exit_codes.h"
#include "gput.h"
#include "say.h"
#include "sub_track.h"
#include "sub_track_marks.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

const struct sub_option sub_mark_options[] = {
    { .name = "stf",
      .argument = "<sub-track-file>",
      .is_file = true,
      .help = "The file to write to (.csv or .sqlite); it is made, or continued." },
    { .name = "name", .argument = "<name>", .help = "The name of the code block." },
    { .name = "exact", .help = "Write the CPU time and peak RAM of the caller too." },
    { .name = NULL },
};

int marks_option(void *ctx, int option, const char *value)
{
    struct marks_options *o = ctx;

    switch (option) {
    case 0:
        o->file = value;
        break;
    case 1:
        o->name = value;
        break;
    default:
        o->is_exact = true;
    }
    return 0;
}

int marks_open(const struct marks_options *o, const char *command, struct gput_marks **ret)
{
    uint32_t flags = GPUT_MARKS_APPEND | (o->is_exact ? GPUT_MARKS_EXACT : 0);
    struct gput_error error = { .field = "" };
    int r;

    if (!o->file || !o->name) {
        say("sub-track %s: --%s is missing", command, o->file ? "name" : "stf");
        return -EINVAL;
    }
    r = gput_marks_open(o->file, flags, ret, &error);
    if (r < 0)
        say("sub-track %s: --stf: %s", command, error.text[0] ? error.text : strerror(-r));
    return r;
}

/* The caller's: this process is another one at the end of the block. */
static int put(const struct marks_options *o, bool is_end)
{
    struct gput_mark mark = { .name = o->name,
                              .is_end = is_end,
                              .process_id = getppid(),
                              .cpu_seconds = -1,
                              .peak_rss_bytes = -1 };
    struct gput_marks *m;
    int closed, r = marks_open(o, "mark", &m);

    if (r < 0)
        return r == -EINVAL ? EXIT_USAGE : EXIT_FAILED;
    r = gput_marks_put(m, &mark);
    closed = gput_marks_close(m);
    r = r < 0 ? r : closed;
    if (r < 0)
        say("sub-track mark: %s: %s", o->file, strerror(-r));
    return r < 0 ? EXIT_FAILED : 0;
}

int sub_track_mark(int argc, char **argv)
{
    struct marks_options o = { .file = NULL };
    int i = sub_track_parse(sub_command("mark"), argc, argv, marks_option, &o);

    if (i < 0)
        return EXIT_USAGE;
    if (i + 1 != argc || (strcmp(argv[i], "start") != 0 && strcmp(argv[i], "stop") != 0)) {
        say("sub-track mark: one word is expected behind the options: start or stop");
        return EXIT_USAGE;
    }
    return put(&o, strcmp(argv[i], "stop") == 0);
}
