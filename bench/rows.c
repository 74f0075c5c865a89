/* rows.c - what reading the rows of a long run takes, and what keeping them does.
 *
 * usage: rows read ROWS | rows keep ROWS
 *
 * The rows of both streams are put into shared memory as a helper does it, without the waiting.
 * read: milliseconds of CPU time to read them all for the first time, and once more with one row more; JSON.
 * keep: bytes of memory after the first 200,000 rows and after all of them, and the milliseconds of
 * CPU time of the longest row; JSON. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "api/inside/helper.h"
#include "api/inside/shared_snapshot.h"
#include "base/clock.h"

#define FLAGS (GPUT_STREAM_OF_SYSTEM | GPUT_STREAM_OF_PROCESS)
#define FULL 200000 /* rows: more than are kept */

static struct gput_tracker reader;
static struct gput__client client = { .pidfd = -1 };
static struct gput__streams streams = { .fd = -1 };

static void fail(const char *what)
{
    fprintf(stderr, "rows: %s\n", what);
    exit(1);
}

/* The writing end maps the memory a second time, as another process does. */
static void begin(void)
{
    struct gput__shared *shared, *other;
    struct gput__series *series;
    size_t size = 0, whole = 0;
    int fd;

    if (gput__shared_create(gput__streams_size(FLAGS, SIZE_MAX), &shared, &fd) < 0 ||
        gput__shared_map(fd, &other, &whole) < 0)
        fail("no memory to share");
    client.shared = shared;
    client.series = gput__shared_series(shared, whole, &client.series_size);
    reader.client = &client;
    series = gput__shared_series(other, whole, &size);
    if (gput__streams_open(&streams, series, size, FLAGS, fd, gput__shared_series_at()) < 0)
        fail("no series");
}

static void put(int64_t n)
{
    struct gput__sample before = { .boot_ns = (n - 1) * GPUT__NS_PER_MS }, now = before;

    now.boot_ns = n * GPUT__NS_PER_MS;
    now.real_ns = GPUT__NS_PER_S * 1700000000 + now.boot_ns;
    for (int m = 0; m < GPUT__N_METRICS; m++) {
        gput__sample_set(&before, (enum gput__metric)m, (double)(n - 1));
        gput__sample_set(&now, (enum gput__metric)m, (double)n);
    }
    gput__streams_record(&streams, &before, &now, NULL);
}

static double ms_since(int64_t begin_ns)
{
    return (double)(gput__clock_ns(CLOCK_THREAD_CPUTIME_ID) - begin_ns) / 1e6;
}

static double ms_to_read(size_t *ret_n)
{
    int64_t begin_ns = gput__clock_ns(CLOCK_THREAD_CPUTIME_ID);
    struct gput_rows *rows;
    double ms;

    if (gput_rows_read(&reader, GPUT_STREAM_PROCESS, &rows) < 0)
        fail("cannot be read");
    ms = ms_since(begin_ns);
    *ret_n = gput_rows_count(rows);
    gput_rows_close(rows);
    return ms;
}

static void read_rows(int64_t n)
{
    double first, next;
    size_t count, more;

    for (int64_t i = 1; i <= n; i++)
        put(i);
    first = ms_to_read(&count);
    put(n + 1);
    next = ms_to_read(&more);
    printf("{\"rows\": %zu, \"first\": %.4f, \"next\": %.4f}\n", more, first, next);
}

static long rss(void)
{
    long pages = 0;
    FILE *f = fopen("/proc/self/statm", "re");

    if (!f || fscanf(f, "%*d %ld", &pages) != 1)
        fail("statm");
    fclose(f);
    return pages * sysconf(_SC_PAGESIZE);
}

static void keep_rows(int64_t n)
{
    long full = 0, at_begin = rss();
    double longest = 0;

    for (int64_t i = 1; i <= n; i++) {
        int64_t begin_ns = gput__clock_ns(CLOCK_THREAD_CPUTIME_ID);
        double ms;

        put(i);
        ms = ms_since(begin_ns);
        longest = ms > longest ? ms : longest;
        if (i == FULL)
            full = rss();
    }
    printf("{\"begin\": %ld, \"full\": %ld, \"end\": %ld, \"longest\": %.3f}\n", at_begin, full,
           rss(), longest);
}

int main(int argc, char **argv)
{
    if (argc != 3)
        fail("usage: rows read|keep ROWS");
    begin();
    if (strcmp(argv[1], "read") == 0)
        read_rows(atoll(argv[2]));
    else
        keep_rows(atoll(argv[2]));
    return 0;
}
