/* sub_track_mark.c - `gpu-tracker sub-track mark`: a code block of a shell script begins or ends. */
#include "exit_codes.h"
#include "gput.h"
#include "say.h"
#include "sub_track.h"
#include "sub_track_marks.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const struct sub_option sub_mark_options[] = {
    { .name = "stf",
      .argument = "<sub-track-file>",
      .is_file = true,
      .help = "The file to write to (.csv or .sqlite); it is made, or continued." },
    { .name = "name", .argument = "<name>", .help = "The name of the code block." },
    { .name = "exact", .help = "Write the CPU time and peak RAM of the process too." },
    { .name = "process",
      .argument = "<process-id>",
      .help =
          "The process that the mark is for, by default the caller. Give the same number, such as "
          "$$ of a shell, where the start and the stop have different callers." },
    { .name = NULL },
};

static int read_process(const char *text, pid_t *ret)
{
    unsigned long value;
    char *end;

    errno = 0;
    value = strtoul(text, &end, 10);
    if (*text < '0' || *text > '9' || *end || errno || value < 1 || value > INT32_MAX) {
        say("sub-track mark: --process: '%s' is not the number of a process", text);
        return -1;
    }
    *ret = (pid_t)value;
    return 0;
}

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
    case 2:
        o->is_exact = true;
        break;
    default:
        return read_process(value, &o->process_id);
    }
    return 0;
}

int marks_open(const struct marks_options *o, struct gput_marks **ret, struct refusal *ret_why)
{
    uint32_t flags = GPUT_MARKS_APPEND | (o->is_exact ? GPUT_MARKS_EXACT : 0);
    struct gput_error error = { .field = "" };
    struct stat st;
    bool is_new;
    int r;

    if (!o->file || !o->name)
        return refuse(ret_why, "--%s is missing", o->file ? "name" : "stf");
    is_new = stat(o->file, &st) < 0 && errno == ENOENT;
    r = gput_marks_open(o->file, flags, ret, &error);
    if (r < 0)
        (void)refuse(ret_why, "--stf: %s", error.text[0] ? error.text : strerror(-r));
    /* Others who wait for it do not mind: they make it anew.  A busy one is somebody else's. */
    if (r < 0 && is_new && r != -ETIMEDOUT && r != -EBUSY && stat(o->file, &st) == 0 &&
        S_ISREG(st.st_mode) && st.st_size == 0)
        (void)unlink(o->file);
    return r;
}

/* Not for this process: it is another one at the end of the block. */
static int put(const struct marks_options *o, bool is_end)
{
    struct gput_mark mark = { .name = o->name,
                              .is_end = is_end,
                              .process_id = o->process_id ? o->process_id : getppid(),
                              .cpu_seconds = -1,
                              .peak_rss_bytes = -1 };
    struct gput_marks *m;
    struct refusal why;
    int closed, r = marks_open(o, &m, &why);

    if (r < 0) {
        say("sub-track mark: %s", why.text);
        return r == -EINVAL ? EXIT_USAGE : EXIT_FAILED;
    }
    r = gput_marks_put(m, &mark);
    closed = gput_marks_close(m);
    r = r < 0 ? r : closed;
    if (r < 0)
        say("sub-track mark: %s: %s", o->file, strerror(-r));
    return r < 0 ? EXIT_FAILED : 0;
}

int sub_track_mark(const struct sub_command *command, int argc, char **argv)
{
    struct marks_options o = { .file = NULL };
    int i = sub_track_parse(command, argc, argv, marks_option, &o);

    if (i < 0)
        return EXIT_USAGE;
    if (i + 1 != argc || (strcmp(argv[i], "start") != 0 && strcmp(argv[i], "stop") != 0)) {
        say("sub-track mark: one word is expected behind the options: start or stop");
        return EXIT_USAGE;
    }
    return put(&o, strcmp(argv[i], "stop") == 0);
}
