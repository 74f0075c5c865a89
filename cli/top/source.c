/* source.c - the runs that can be watched, and the viewer of one. */
#include "top/source.h"

#include "output/exit_codes.h"
#include "output/say.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { TRIES = 200 };
static const long pause_ns = 25 * 1000000;

static void wait_a_moment(void)
{
    (void)nanosleep(&(struct timespec){ .tv_nsec = pause_ns }, NULL);
}

static int list(const char *who, struct gput_running **ret)
{
    struct gput_error error = { .text = "" };
    int n = gput_running_list(ret, &error);

    if (n < 0)
        say("%s: %s", who, error.text[0] ? error.text : strerror(-n));
    return n;
}

int top_source_list(const char *who, struct gput_running **ret, int *ret_n)
{
    *ret_n = list(who, ret);
    if (*ret_n > 0)
        return 0;
    if (*ret_n == 0) {
        free(*ret);
        say("%s: no job of this user is tracked on this machine now; name a process to watch one "
            "that is not: gpu-tracker %s PID",
            who, who);
    }
    return EXIT_FAILED;
}

/* An attached process has a name only in the view. */
static void name_command(struct top_source *s)
{
    if (s->run.command[0])
        snprintf(s->command, sizeof(s->command), "%.299s", s->run.command);
    else
        snprintf(s->command, sizeof(s->command), "process %d", s->run.pid);
    gput_text_plain(s->command);
}

int top_source_open(struct top_source *s, const struct gput_running *run)
{
    struct gput_error error = { .text = "" };
    int r = gput_viewer_open(run->tracker, &s->viewer, &error);

    if (r < 0) {
        say("%s: %s", s->who, error.text[0] ? error.text : strerror(-r));
        return EXIT_FAILED;
    }
    s->run = *run;
    name_command(s);
    return 0;
}

/* 1: found. */
static int find(const char *who, pid_t pid, struct gput_running *ret)
{
    struct gput_running *all = NULL;
    int n = list(who, &all), r = n < 0 ? n : 0;

    for (int i = 0; i < n && r == 0; i++)
        if (all[i].tracker == pid || all[i].pid == pid) {
            *ret = all[i];
            r = 1;
        }
    free(all);
    return r;
}

static int start_own(struct top_source *s, pid_t pid)
{
    struct gput_options options = GPUT_OPTIONS_INIT;
    struct gput_error error = { .text = "" };
    int r;

    options.process_id = pid;
    options.flags = GPUT_NO_GPU_IS_NO_NEWS;
    r = gput_tracker_open(&options, &s->own, &error);
    if (r == 0)
        r = gput_tracker_start(s->own, &error);
    if (r == 0)
        return 0;
    say("%s: %s", s->who, error.text[0] ? error.text : strerror(-r));
    return r == -ESRCH ? EXIT_USAGE : EXIT_FAILED;
}

int top_source_open_pid(struct top_source *s, pid_t pid)
{
    struct gput_running run;
    int r = find(s->who, pid, &run);

    if (r < 0)
        return EXIT_FAILED;
    if (r == 0) {
        r = start_own(s, pid);
        for (int i = 0; r == 0 && i < TRIES && (r = find(s->who, pid, &run)) == 0; i++)
            wait_a_moment();
        if (r != 1) {
            if (r == 0)
                say("%s: the tracker of process %d cannot be found; is there room in /tmp?", s->who,
                    pid);
            return r > 1 ? r : EXIT_FAILED;
        }
    }
    return top_source_open(s, &run);
}

int top_source_first(struct top_source *s, struct gput_view *ret)
{
    int r = -EAGAIN;

    for (int i = 0; i < TRIES && r == -EAGAIN; i++) {
        if (i)
            wait_a_moment();
        r = gput_viewer_read(s->viewer, ret);
    }
    return r;
}

void top_source_close(struct top_source *s)
{
    struct gput_error error;

    gput_viewer_close(s->viewer);
    if (s->own)
        (void)gput_tracker_stop(s->own, 1, &error);
    gput_tracker_close(s->own);
    *s = (struct top_source){ .who = s->who };
}
