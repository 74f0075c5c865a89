/* live.c - the figures so far, while the work goes on.
 *
 *     cc live.c $(pkg-config --cflags --libs gput) -o live && ./live */
#include <gput.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define STEPS 5
#define STEP_BYTES ((size_t)40 * 1000 * 1000)

/* One step of the work: 40 MB more, which are kept, and a third of a second of computing. */
static void *step(void)
{
    void *data = malloc(STEP_BYTES);
    clock_t end = clock() + CLOCKS_PER_SEC / 3;

    while (data && clock() < end)
        memset(data, 1, STEP_BYTES);
    return data;
}

/* What it holds just now: cheap enough for every round of a loop. */
static void print_now(const struct gput_tracker *tracker)
{
    struct gput_now now;

    gput_tracker_now(tracker, &now);
    printf("%4.1f s  RAM %5.1f MB (peak %5.1f MB)  CPU %3.0f %%  %d process%s\n", now.elapsed,
           now.ram / 1e6, now.ram_peak / 1e6, now.cpu_percent, now.n_processes,
           now.n_processes == 1 ? "" : "es");
}

/* All figures so far; here one of them. */
static void print_mean(const struct gput_tracker *tracker)
{
    struct gput_usage usage = { .size = sizeof(usage) };

    if (gput_tracker_usage(tracker, &usage) == 0)
        printf("mean CPU of the whole time: %.0f %% of one core\n",
               usage.cpu_utilization.combined.mean_sum_percent.value);
}

/* Called from the functions of the tracker, on the thread that calls them. */
static void warn(void *ctx, const char *line)
{
    (void)ctx;
    fprintf(stderr, "live: warning: %s\n", line);
}

int main(void)
{
    struct gput_options options = GPUT_OPTIONS_INIT;
    struct gput_tracker *tracker;
    struct gput_error error;
    void *kept[STEPS];

    options.sleep_time = 0.25; /* seconds from record to record: how old a figure may be */
    options.on.warn = warn;
    if (gput_tracker_open(&options, &tracker, &error) < 0) {
        fprintf(stderr, "live: %s: %s\n", error.field, error.text);
        return 1;
    }
    if (gput_tracker_start(tracker, &error) < 0) {
        fprintf(stderr, "live: cannot start tracking: %s\n", error.text);
        gput_tracker_close(tracker);
        return 1;
    }
    for (int i = 0; i < STEPS; i++) {
        kept[i] = step();
        print_now(tracker);
    }
    if (gput_tracker_stop(tracker, 0, &error) < 0)
        fprintf(stderr, "live: %s\n", error.text);
    print_mean(tracker);
    for (int i = 0; i < STEPS; i++)
        free(kept[i]);
    gput_tracker_close(tracker);
    return 0;
}
