/* stream.c - rows over time: what this program and the whole machine do, while the work goes on.
 *
 *     cc stream.c $(pkg-config --cflags --libs gput) -o stream && ./stream */
#include <gput.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define ROWS 5

/* Burns the processor for a while. */
static void work(void)
{
    clock_t end = clock() + CLOCKS_PER_SEC / 20;

    while (clock() < end)
        ;
}

/* The rows that are new since the last time, each a line of CSV.  Returns how many there are now. */
static size_t print_new(struct gput_tracker *tracker, size_t printed)
{
    struct gput_rows *rows;
    size_t n;
    char *line;

    if (gput_rows_read(tracker, GPUT_STREAM_PROCESS, &rows) < 0)
        return printed;
    n = gput_rows_count(rows);
    for (size_t i = printed; i < n; i++) {
        if (gput_rows_line(rows, GPUT_COLUMNS_KIB, GPUT_LINE_CSV, i, &line) < 0)
            break;
        fputs(line, stdout);
        free(line);
    }
    gput_rows_close(rows);
    return n;
}

/* The mean of a column over all rows ever made. */
static double mean_cores(const struct gput_tracker *tracker, enum gput_stream stream,
                         unsigned column)
{
    struct gput_column_stats stats[64];

    return gput_stream_stats(tracker, stream, GPUT_COLUMNS_KIB, stats, NULL) < 0
               ? 0
               : stats[column].mean;
}

int main(void)
{
    struct gput_options options = GPUT_OPTIONS_INIT;
    struct gput_tracker *tracker;
    struct gput_error error;
    size_t printed = 0;
    char *header;

    options.flags = GPUT_STREAM_OF_PROCESS | GPUT_STREAM_OF_SYSTEM | GPUT_ALIGN;
    options.sleep_time = 0.2; /* seconds from row to row */
    if (gput_tracker_open(&options, &tracker, &error) < 0 ||
        gput_tracker_start(tracker, &error) < 0) {
        fprintf(stderr, "stream: %s\n", error.text);
        return 1;
    }
    if (gput_stream_header(GPUT_STREAM_PROCESS, GPUT_COLUMNS_KIB, &header) == 0) {
        fputs(header, stdout);
        free(header);
    }
    while (printed < ROWS) {
        work();
        printed = print_new(tracker, printed);
    }
    if (gput_tracker_stop(tracker, 0, &error) < 0) /* the rows so far are kept */
        fprintf(stderr, "stream: %s\n", error.text);
    printed = print_new(tracker, printed);
    /* In either stream cpu_usage is the column behind stime. */
    printf("%zu rows, on average %.2f cores by this program and %.2f by the whole machine\n",
           printed, mean_cores(tracker, GPUT_STREAM_PROCESS, 5),
           mean_cores(tracker, GPUT_STREAM_SYSTEM, 4));
    gput_tracker_close(tracker);
    return 0;
}
