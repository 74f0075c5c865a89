/* blocks.c - which part of a program costs what: marks around two blocks of code, then the analysis.
 *
 * Leaves blocks.csv (the marks) and records.csv (the records) in the current folder. */
#include <gput.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static void compute(double seconds)
{
    clock_t until = clock() + (clock_t)(seconds * CLOCKS_PER_SEC);

    while (clock() < until)
        ;
}

static void load(size_t bytes)
{
    volatile char *memory = malloc(bytes); /* volatile: a compiler would leave it all out */

    for (size_t i = 0; memory && i < bytes; i += 4096)
        memory[i] = 1;
    compute(0.3);
    free((char *)memory);
}

static int fail(const char *what, const struct gput_error *e)
{
    fprintf(stderr, "blocks: %s: %s%s%s\n", what, e->field, e->field[0] ? ": " : "", e->text);
    return 1;
}

int main(void)
{
    struct gput_options options = GPUT_OPTIONS_INIT;
    struct gput_analysis *analysis;
    struct gput_tracker *tracker;
    struct gput_marks *marks;
    struct gput_error error = { .field = "" };
    char *text;

    options.flags = GPUT_OVERWRITE;
    options.tracking_file = "records.csv";
    options.sleep_time = 0.05;
    options.ram_unit = "megabytes";
    if (gput_tracker_open(&options, &tracker, &error) < 0 ||
        gput_tracker_start(tracker, &error) < 0)
        return fail("tracking", &error);
    if (gput_marks_open("blocks.csv", GPUT_MARKS_OVERWRITE, &marks, &error) < 0)
        return fail("marks", &error);

    for (int i = 0; i < 2; i++) {
        gput_block_begin(marks, "load");
        load(200 * 1000 * 1000);
        gput_block_end(marks, "load");
        gput_block_begin(marks, "compute");
        compute(0.2);
        gput_block_end(marks, "compute");
    }

    gput_marks_close(marks);
    if (gput_tracker_stop(tracker, 0, &error) < 0)
        return fail("stop", &error);
    gput_tracker_close(tracker);

    if (gput_sub_analyze("records.csv", "blocks.csv", NULL, &analysis, &error) < 0)
        return fail("analysis", &error);
    if (gput_analysis_format(analysis, GPUT_TEXT, 0, &text) == 0) {
        fputs(text, stdout);
        free(text);
    }
    gput_analysis_close(analysis);
    return 0;
}
