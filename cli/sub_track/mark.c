/* mark.c - `gpu-tracker sub-track mark`: a code block of a shell script begins or ends. */
#include "gput.h"
#include "output/exit_codes.h"
#include "output/say.h"
#include "sub_track/marks.h"
#include "sub_track/sub_track.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const struct option_def sub_mark_options[] = {
    MARKS_FILE_OPTION,
    MARKS_NAME_OPTION,
    { "exact", NULL, "Write the CPU time and peak RAM of the process too.",
      AT(struct marks_options, is_exact) },
    { "process", "<process-id>",
      "The process that the mark is for, by default the caller. Give the same number, such as $$ "
      "of a shell, where the start and the stop have different callers.",
      .kind = KIND_PROCESS, AT(struct marks_options, process_id) },
    { .name = NULL },
};

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
static int write_mark(const struct marks_options *o, bool is_end)
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
    r = gput_marks_add(m, &mark);
    closed = gput_marks_close(m);
    r = r < 0 ? r : closed;
    if (r < 0)
        say("sub-track mark: %s: %s", o->file, strerror(-r));
    return r < 0 ? EXIT_FAILED : 0;
}

int sub_track_mark(const struct command *command, int argc, char **argv)
{
    struct marks_options o = { .file = NULL };
    int i = command_parse(command, &o.given, argc, argv);

    if (i < 0)
        return EXIT_USAGE;
    if (i + 1 != argc || (strcmp(argv[i], "start") != 0 && strcmp(argv[i], "stop") != 0)) {
        say("sub-track mark: one word is expected behind the options: start or stop");
        return EXIT_USAGE;
    }
    return write_mark(&o, strcmp(argv[i], "stop") == 0);
}
