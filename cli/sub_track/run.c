/* run.c - `gpu-tracker sub-track run`: a command as a code block.
 *
 * Signals as in run mode, and the status is the command's. */
#include "output/exit_codes.h"
#include "output/say.h"
#include "run/child.h"
#include "sub_track/marker.h"
#include "sub_track/marks.h"
#include "sub_track/sub_track.h"

#include <errno.h>
#include <string.h>

const struct option_def sub_run_options[] = {
    MARKS_FILE_OPTION,
    MARKS_NAME_OPTION,
    { "exact", NULL, "Write the CPU time and peak RAM of the command too.",
      AT(struct marks_options, is_exact) },
    { .name = NULL },
};

static int status_of_failure(int r)
{
    return r == -ENOENT || r == -ENOTDIR  ? EXIT_NOT_FOUND
           : r == -EAGAIN || r == -ENOMEM ? EXIT_TRACKER_FAILED
                                          : EXIT_CANNOT_EXECUTE;
}

static int run_command(const struct child_signals *signals, char **argv)
{
    const struct child child = { .argv = argv, .in = -1, .out = -1 };
    int r = child_run(signals, &child, NULL);

    if (r >= 0)
        return r;
    say("cannot run '%s': %s", argv[0], strerror(-r));
    return status_of_failure(r);
}

/* Only wrong usage keeps the command from running; the status is always its own. */
static int run_marked(const struct marks_options *o, char **argv)
{
    struct child_signals signals;
    struct refusal why;
    bool is_marked;
    int status, r;

    child_block_signals(&signals); /* first, so that no other thread takes one */
    r = marker_start(o, &why);
    is_marked = r == 0;
    if (r == -EINVAL) {
        say("sub-track run: %s", why.text);
        return EXIT_USAGE;
    }
    if (!is_marked)
        say("sub-track run: '%s' is not marked: %s", o->name, why.text);
    status = run_command(&signals, argv);
    if (is_marked && marker_stop(&why) < 0)
        say("sub-track run: the end of '%s' is not marked: %s", o->name, why.text);
    return status;
}

int sub_track_run(const struct command *command, int argc, char **argv)
{
    static struct marks_options o; /* as long as the thread */
    int i = command_parse(command, &o.given, argc, argv);

    if (i < 0)
        return EXIT_USAGE;
    if (i >= argc || !*argv[i]) {
        say("sub-track run: no command to run");
        return EXIT_USAGE;
    }
    return run_marked(&o, argv + i);
}
