/* host.c - a program that tracks itself, does its work whatever becomes of that, and exits with 7.
 *
 * usage: host RESULT DONE BYTES    the helper is $GPUT_HELPER */
#include "../workloads/appetite.h"
#include "gput.h"

static void warn(void *ctx, const char *line)
{
    (void)ctx;
    fprintf(stderr, "host: warning: %s\n", line);
}

static void put(const char *path, const char *text)
{
    FILE *f = fopen(path, "we");

    if (!f || fputs(text, f) < 0 || fclose(f) != 0)
        die(path);
}

static struct gput_tracker *begin(void)
{
    struct gput_options o = GPUT_OPTIONS_INIT;
    struct gput_tracker *t = NULL;
    struct gput_error e = { "", "" };

    o.sleep_time = 0.1;
    o.ram_unit = "bytes";
    o.time_unit = "seconds";
    o.flags = GPUT_WANT_ALL;
    o.on.warn = warn;
    if (gput_tracker_open(&o, &t, &e) == 0 && gput_tracker_start(t, &e) == 0)
        return t;
    fprintf(stderr, "host: not tracked: %s\n", e.text);
    return gput_tracker_close(t);
}

static void finish(struct gput_tracker *t, const char *result)
{
    struct gput_usage u = { .size = sizeof(u) };
    struct gput_error e = { "", "" };
    char *text = NULL;

    if (gput_tracker_stop(t, 0, &e) < 0)
        fprintf(stderr, "host: not to the end: %s\n", e.text);
    if (gput_tracker_usage(t, &u) == 0 && gput_usage_format(&u, GPUT_JSON, 1, &text) == 0)
        put(result, text);
    else
        fprintf(stderr, "host: the figures are lost\n");
    free(text);
    gput_tracker_close(t);
}

int main(int argc, char **argv)
{
    struct gput_tracker *t;
    size_t bytes;
    char *p;

    if (argc != 4)
        return 99;
    bytes = (size_t)strtoul(argv[3], NULL, 10);
    t = begin();
    p = take(bytes);
    burn(0.1);
    sleep_for(0.3);
    if (t)
        finish(t, argv[1]);
    give_back(p, bytes);
    put(argv[2], "x");
    return 7;
}
