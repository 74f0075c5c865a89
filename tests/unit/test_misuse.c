/* test_misuse.c - calls in the wrong order or on what is not there: each is refused with its reason. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "gput.h"
#include "tap.h"

#define NOBODY 4194304 /* the kernel's pids are smaller */

static struct gput_error err;

static struct gput_tracker *opened(const struct gput_options *o)
{
    struct gput_tracker *t = NULL;

    err = (struct gput_error){ .field = "" };
    if (gput_tracker_open(o, &t, &err) < 0)
        printf("# %s: %s\n", err.field, err.text);
    return t;
}

static int refused(int r, int want, const char *field, const char *words)
{
    if (r == want && !strcmp(err.field, field) && strstr(err.text, words))
        return 1;
    printf("# %d, %s: %s\n", r, err.field, err.text);
    return 0;
}

static void before_the_start(void)
{
    const struct gput_options o = GPUT_OPTIONS_INIT;
    struct gput_usage u = { .size = sizeof(u) };
    struct gput_tracker *t = opened(&o);
    struct gput_rows *rows = NULL;
    char *text = NULL;

    OK(gput_tracker_usage(t, &u) == -ENODATA, "no figures before the start");
    u.size = 0;
    OK(gput_tracker_usage(t, &u) == -EINVAL, "nor any for a struct without a size");
    OK(refused(gput_tracker_stop(t, 1, &err), -EINVAL, "", "tracking has not been started"),
       "what has not been started cannot be stopped");
    OK(gput_rows_read(t, GPUT_STREAM_PROCESS, &rows) == -ENODATA && !rows &&
           gput_stream_count(t) == 0,
       "there are no rows");
    OK(gput_tracker_discovered(t, &text) == -EAGAIN && !text, "and nothing was found out");
    OK(gput_tracker_close(t) == NULL && gput_tracker_close(NULL) == NULL, "closed");
}

static void twice(void)
{
    const struct gput_options o = GPUT_OPTIONS_INIT;
    char *const argv[] = { (char *)"true", NULL };
    struct gput_tracker *t = opened(&o);

    OK(gput_tracker_spawn(t, argv, &err) == 0, "a command is started");
    OK(refused(gput_tracker_spawn(t, argv, &err), -EALREADY, "", "started before"), "once");
    OK(refused(gput_tracker_attach(t, getpid(), &err), -EALREADY, "", "started before"),
       "and nothing else with it");
    OK(refused(gput_tracker_start(t, &err), -EALREADY, "", "started before"),
       "from inside neither");
    OK(gput_tracker_wait(t) == 0, "it ends");
    gput_tracker_close(t);
}

static void on_nobody(void)
{
    struct gput_options o = GPUT_OPTIONS_INIT;
    struct gput_tracker *t = opened(&o);
    char *text = NULL;

    OK(refused(gput_tracker_attach(t, NOBODY, &err), -ESRCH, "process_id", "4194304"),
       "a process that is not there");
    gput_tracker_close(t);
    OK(refused(gput_stats_format(&o, NOBODY, &text, &err), -ESRCH, "process_id",
               "there is no process 4194304") &&
           !text,
       "nor its counters");
    o.helper_path = "/bin/true"; /* it is never asked */
    o.process_id = NOBODY;
    t = opened(&o);
    OK(refused(gput_tracker_start(t, &err), -ESRCH, "process_id", "4194304"), "from inside");
    gput_tracker_close(t);
}

static void what_cannot_be(void)
{
    char *const argv[] = { (char *)"true", NULL };
    struct gput_options o = GPUT_OPTIONS_INIT;
    struct gput_tracker *t;

    o.timeout = 5;
    t = opened(&o);
    OK(refused(gput_tracker_start(t, &err), -EINVAL, "timeout", ""),
       "a time limit is for commands: %s", err.text);
    gput_tracker_close(t);
    o.timeout = 0;
    o.nvml_path = "/nonexistent/libnvidia-ml.so.1";
    o.gpu_brand = "nvidia";
    o.gpu_uuids = "GPU-1";
    t = opened(&o);
    OK(refused(gput_tracker_spawn(t, argv, &err), -EINVAL, "gpu_uuids",
               "'GPU-1': no GPU was found"),
       "a GPU where there is none: %s", err.text);
    gput_tracker_close(t);
    o.gpu_uuids = NULL;
    o.start_time = -1;
    t = NULL;
    OK(refused(gput_tracker_open(&o, &t, &err), -EINVAL, "start_time", "-1 is not a time") && !t,
       "a start before 1970");
    o.start_time = NAN;
    OK(gput_tracker_open(&o, &t, NULL) == -EINVAL && !t, "or at no time; nobody asks why");
}

int main(void)
{
    before_the_start();
    twice();
    on_nobody();
    what_cannot_be();
    return DONE();
}
