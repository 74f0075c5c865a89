/* start_stop.c - what a part of this program costs, measured from inside.
 *
 *     cc start_stop.c $(pkg-config --cflags --libs gput) -o start_stop && ./start_stop */
#include <gput.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BYTES ((size_t)200 * 1000 * 1000)

/* The part that is measured: fills 200 MB and adds it up a few times. */
static int work(unsigned long *ret_sum)
{
    unsigned char *data = malloc(BYTES);

    if (!data)
        return -1;
    memset(data, 1, BYTES);
    *ret_sum = 0;
    for (int round = 0; round < 5; round++)
        for (size_t i = 0; i < BYTES; i++)
            *ret_sum += data[i];
    free(data);
    return 0;
}

static int print_result(const struct gput_tracker *tracker)
{
    struct gput_usage usage = { .size = sizeof(usage) };
    const struct gput_figure *peak = &usage.max_ram.main.total_rss;
    char *text;

    if (gput_tracker_usage(tracker, &usage) < 0 ||
        gput_usage_format(&usage, GPUT_TEXT, 0, &text) < 0)
        return -1;
    fputs(text, stdout);
    free(text);
    /* Figures of the struct are in bytes, seconds and percent, whatever the units of the text. */
    printf("\nthe peak was %.0f bytes (%s)\n", peak->value,
           peak->source == GPUT_EXACT ? "exact" : peak->why);
    return 0;
}

int main(void)
{
    struct gput_options options = GPUT_OPTIONS_INIT;
    struct gput_tracker *tracker;
    struct gput_error error;
    unsigned long sum = 0;
    int failed;

    options.ram_unit = "megabytes";
    options.time_unit = "seconds";
    if (gput_tracker_open(&options, &tracker, &error) < 0) {
        fprintf(stderr, "start_stop: %s: %s\n", error.field, error.text);
        return 1;
    }
    if (gput_tracker_start(tracker, &error) < 0) {
        fprintf(stderr, "start_stop: cannot start tracking: %s\n", error.text);
        gput_tracker_close(tracker);
        return 1;
    }
    failed = work(&sum);
    if (gput_tracker_stop(tracker, 0, &error) < 0) /* what was measured until then is kept */
        fprintf(stderr, "start_stop: %s\n", error.text);
    if (failed == 0) {
        printf("the sum is %lu\n\n", sum);
        failed = print_result(tracker);
    }
    gput_tracker_close(tracker);
    return failed ? 1 : 0;
}
