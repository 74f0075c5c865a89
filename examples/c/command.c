/* command.c - runs a command, prints what it used as JSON, and exits with its status.
 *
 *     cc command.c $(pkg-config --cflags --libs gput) -o command && ./command sleep 1 */
#include <errno.h>
#include <gput.h>
#include <stdio.h>
#include <stdlib.h>

static int print_json(const struct gput_usage *usage)
{
    char *text;
    int r = gput_usage_format(usage, GPUT_JSON, 0, &text);

    if (r < 0)
        return r;
    fputs(text, stdout);
    free(text);
    return 0;
}

/* As a shell reports it: 128 and the number of the signal that ended the command. */
static int status_of(const struct gput_usage *usage)
{
    return usage->job.ending == GPUT_SIGNALED ? 128 + usage->job.code : usage->job.code;
}

int main(int argc, char **argv)
{
    struct gput_options options = GPUT_OPTIONS_INIT;
    struct gput_usage usage = { .size = sizeof(usage) };
    struct gput_tracker *tracker;
    struct gput_error error;
    int r, status = 125;

    if (argc < 2) {
        fprintf(stderr, "usage: command PROGRAM [ARGUMENT...]\n");
        return 2;
    }
    options.ram_unit = "megabytes";
    options.time_unit = "seconds";
    if (gput_tracker_open(&options, &tracker, &error) < 0) {
        fprintf(stderr, "command: %s: %s\n", error.field, error.text);
        return 125;
    }
    r = gput_tracker_spawn(tracker, argv + 1, &error);
    if (r < 0) {
        fprintf(stderr, "command: %s\n", error.text);
        gput_tracker_close(tracker);
        return r == -ENOENT ? 127 : 126;
    }
    if (gput_tracker_wait(tracker) == 0 && gput_tracker_usage(tracker, &usage) == 0) {
        status = status_of(&usage);
        if (print_json(&usage) < 0)
            fprintf(stderr, "command: the result cannot be written\n");
    }
    gput_tracker_close(tracker);
    return status;
}
