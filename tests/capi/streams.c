/* streams.c - rows of the machine and of the program itself, read from inside. */
#include <math.h>
#include <sys/resource.h>

#include "api/inside/shared_snapshot.h"
#include "capi.h"

#define ALL (GPUT_STREAM_OF_SYSTEM | GPUT_STREAM_OF_PROCESS)
enum { TIMESTAMP, PID, CHILDREN, UTIME, STIME, CPU_USAGE, MEMORY };

static struct gput_options rows_wanted(uint32_t flags)
{
    struct gput_options o = quick();

    o.flags = flags | GPUT_ALIGN;
    o.sleep_time = 0.02;
    return o;
}

static struct gput_rows *rows_of(struct gput_tracker *t, enum gput_stream s)
{
    struct gput_rows *rows = NULL;
    int r = gput_rows_read(t, s, &rows);

    if (r < 0)
        bail("gput_rows_read", strerror(-r));
    return rows;
}

static bool reaches(const struct gput_tracker *t, uint64_t n)
{
    double end = now_s() + LONG;

    while (gput_stream_count(t) < n && now_s() < end)
        sleep_for(0.01);
    return gput_stream_count(t) >= n;
}

static double cell(const struct gput_rows *rows, unsigned column, size_t row)
{
    double value = NAN;

    (void)gput_rows_values(rows, GPUT_COLUMNS_KIB, column, row, 1, &value);
    return value;
}

/* All lines of the rows, one after the other. */
static char *lines_of(const struct gput_rows *rows)
{
    size_t len = 0;
    char *all = calloc(1, 1);

    for (size_t i = 0; all && i < gput_rows_count(rows); i++) {
        char *line = NULL, *longer;

        if (gput_rows_line(rows, GPUT_COLUMNS_KIB, GPUT_LINE_CSV, i, &line) < 0)
            bail("gput_rows_line", "failed");
        longer = realloc(all, len + strlen(line) + 1);
        if (!longer)
            bail("realloc", "failed");
        all = longer;
        strcpy(all + len, line);
        len += strlen(line);
        free(line);
    }
    return all;
}

static unsigned n_commas(const char *line)
{
    unsigned n = 0;

    for (; *line && *line != '\n'; line++)
        n += *line == ',';
    return n;
}

/* --- what they say -------------------------------------------------------------------------- */

static void what_they_say(void)
{
    struct gput_options o = rows_wanted(ALL);
    struct gput_tracker *t = started(&o);
    struct gput_column_stats stats[64];
    struct gput_rows *rows;
    double cpu = 0, seconds = 0, worst = 0;
    char *header = NULL, *lines;
    size_t n;

    burn(0.5);
    OK(reaches(t, 5) && gput_tracker_stop(t, 0, NULL) == 0, "rows come by themselves");
    rows = rows_of(t, GPUT_STREAM_PROCESS);
    n = gput_rows_count(rows);
    OK(n == gput_stream_count(t), "%zu rows, all that were made", n);
    for (size_t i = 0; i < n; i++) {
        double step = cell(rows, TIMESTAMP, i) - (i ? cell(rows, TIMESTAMP, i - 1) : 0);

        worst = step <= 0 ? 1 : worst;
        cpu += cell(rows, UTIME, i) + cell(rows, STIME, i);
        worst = cell(rows, PID, i) != getpid() || cell(rows, CHILDREN, i) != 0 ? 2 : worst;
        worst = !(cell(rows, MEMORY, i) > 100) ? 3 : worst;
    }
    OK(worst == 0, "each later than the one before, of us, without the helper as a child");
    cpu /= (double)sysconf(_SC_CLK_TCK);
    OK(gput_stream_stats(t, GPUT_STREAM_PROCESS, GPUT_COLUMNS_KIB, stats, &seconds) == 0 &&
           stats[UTIME].n == n && stats[PID].n == 0,
       "statistics of as many");
    OK(fabs((stats[UTIME].sum + stats[STIME].sum) / (double)sysconf(_SC_CLK_TCK) - cpu) < 0.05 &&
           cpu > 0.4,
       "%.2f s of CPU time in the rows, %.2f s in the sums", cpu,
       (stats[UTIME].sum + stats[STIME].sum) / (double)sysconf(_SC_CLK_TCK));
    OK(fabs(stats[CPU_USAGE].mean * seconds - cpu) < 0.1, "the mean of cpu_usage times %.2f s",
       seconds);
    (void)gput_stream_header(GPUT_STREAM_SYSTEM, GPUT_COLUMNS_KIB, &header);
    gput_rows_close(rows);
    rows = rows_of(t, GPUT_STREAM_SYSTEM);
    lines = lines_of(rows);
    OK(n_commas(header) == n_commas(lines) && n_commas(lines) == 20, "the machine's, too");
    free(header);
    free(lines);
    gput_rows_close(rows);
    gput_tracker_close(t);
}

/* --- pictures ------------------------------------------------------------------------------- */

static void pictures(void)
{
    struct gput_options o = rows_wanted(ALL);
    struct gput_tracker *t = started(&o);
    struct gput_rows *early, *late;
    char *then, *now, *again;

    OK(reaches(t, 3), "some rows");
    early = rows_of(t, GPUT_STREAM_PROCESS);
    then = lines_of(early);
    OK(reaches(t, gput_rows_count(early) + 3), "more of them");
    late = rows_of(t, GPUT_STREAM_PROCESS);
    now = lines_of(early);
    again = lines_of(late);
    OK(strcmp(then, now) == 0, "those that were taken earlier stay as they are");
    OK(gput_rows_count(late) > gput_rows_count(early) && strncmp(again, then, strlen(then)) == 0,
       "the later ones go on behind them");
    free(now);
    gput_tracker_close(t);
    now = lines_of(early);
    OK(strcmp(then, now) == 0, "also when the tracker is closed");
    free(then);
    free(now);
    free(again);
    gput_rows_close(early);
    gput_rows_close(late);
}

static void none_were_asked_for(void)
{
    struct gput_options o = quick();
    struct gput_tracker *t = opened(&o);
    struct gput_column_stats stats[64];
    struct gput_rows *rows = NULL;

    OK(gput_rows_read(t, GPUT_STREAM_PROCESS, &rows) == -ENODATA && gput_stream_count(t) == 0,
       "none before start()");
    if (gput_tracker_start(t, NULL) < 0)
        bail("gput_tracker_start", "failed");
    OK(gput_rows_read(t, GPUT_STREAM_PROCESS, &rows) == -ENODATA && !rows &&
           gput_stream_count(t) == 0 &&
           gput_stream_stats(t, GPUT_STREAM_PROCESS, GPUT_COLUMNS_KIB, stats, NULL) == -ENODATA,
       "nor after it where none were asked for");
    gput_tracker_close(t);
}

/* --- trouble -------------------------------------------------------------------------------- */

static void killed_helper(void)
{
    struct gput_options o = rows_wanted(ALL);
    struct gput_tracker *t = started(&o);
    struct gput_error e = { "", "" };
    struct gput_rows *rows;
    uint64_t n;
    pid_t helper = helper_pid();

    OK(reaches(t, 4), "rows, and then the helper is killed");
    kill(helper, SIGKILL);
    OK(ends_within(helper, LONG), "it is dead");
    n = gput_stream_count(t);
    rows = rows_of(t, GPUT_STREAM_PROCESS);
    /* It may have died between a row and its count. */
    OK(n >= 4 && gput_rows_count(rows) - n <= 1 && cell(rows, PID, n - 1) == getpid(),
       "the rows so far are there");
    gput_rows_close(rows);
    OK(gput_tracker_stop(t, 0, &e) == -EPIPE, "stop(): %s", e.text);
    OK(gput_tracker_stop(t, 0, &e) == -EALREADY, "the second time: %s", e.text);
    rows = rows_of(t, GPUT_STREAM_PROCESS);
    OK(gput_rows_count(rows) - n <= 1, "and they are there still");
    gput_rows_close(rows);
    gput_tracker_close(t);
    OK(n_children(NULL) == 0, "nobody is left");
}

static void stopped_twice(void)
{
    struct gput_options o = rows_wanted(GPUT_STREAM_OF_PROCESS);
    struct gput_tracker *t = started(&o);
    struct gput_rows *before, *after;

    OK(reaches(t, 2) && gput_tracker_stop(t, 0, NULL) == 0, "stop()");
    before = rows_of(t, GPUT_STREAM_PROCESS);
    OK(gput_tracker_stop(t, 0, NULL) == -EALREADY, "and once more");
    after = rows_of(t, GPUT_STREAM_PROCESS);
    OK(gput_rows_count(after) == gput_rows_count(before), "no row came or went");
    gput_rows_close(before);
    gput_rows_close(after);
    gput_tracker_close(t);
}

static bool the_copy_reads(void *ctx)
{
    struct gput_tracker *t = ctx;
    struct gput_rows *rows = rows_of(t, GPUT_STREAM_PROCESS);
    size_t n = gput_rows_count(rows);
    double time = cell(rows, TIMESTAMP, n - 1);

    gput_rows_close(rows);
    gput_tracker_close(t);
    return n >= 2 && time > 1e9;
}

static void forked(void)
{
    struct gput_options o = rows_wanted(ALL);
    struct gput_tracker *t = started(&o);
    struct gput_rows *rows;
    uint64_t n;

    OK(reaches(t, 2), "rows, and then a fork");
    rows = rows_of(t, GPUT_STREAM_PROCESS);
    gput_rows_close(rows);
    OK(in_child(the_copy_reads, t), "the child may read them, and closes its copy");
    n = gput_stream_count(t);
    OK(reaches(t, n + 3), "ours goes on");
    OK(gput_tracker_stop(t, 0, NULL) == 0, "and ends as it should");
    rows = rows_of(t, GPUT_STREAM_PROCESS);
    OK(gput_rows_count(rows) == gput_stream_count(t), "with all its rows");
    gput_rows_close(rows);
    gput_tracker_close(t);
}

/* The memory that is shared with the helper is a file to the kernel. */
static bool has_rows_below(void *ctx)
{
    struct rlimit limit = { *(rlim_t *)ctx, RLIM_INFINITY };
    struct gput_options o = rows_wanted(ALL);
    struct gput_tracker *t;
    struct gput_rows *rows;
    bool ok;

    o.sleep_time = 0.001;
    t = opened(&o);
    setrlimit(RLIMIT_FSIZE, &limit);
    if (gput_tracker_start(t, NULL) < 0)
        return false;
    ok = reaches(t, 1500) && gput_tracker_stop(t, 0, NULL) == 0;
    rows = rows_of(t, GPUT_STREAM_PROCESS);
    /* So few fit that they were thinned out by now. */
    ok = ok && gput_rows_count(rows) <= 1024 && gput_rows_count(rows) >= 256;
    gput_rows_close(rows);
    gput_tracker_close(t);
    return ok && n_children(NULL) == 0;
}

/* Then it is no file. */
static bool has_all_rows_below(void *ctx)
{
    struct rlimit limit = { *(rlim_t *)ctx, *(rlim_t *)ctx };
    struct gput_options o = rows_wanted(ALL);
    struct gput_tracker *t;
    struct gput_rows *rows;
    bool ok;

    o.sleep_time = 0.001;
    t = opened(&o);
    setrlimit(RLIMIT_FSIZE, &limit);
    if (gput_tracker_start(t, NULL) < 0)
        return false;
    ok = reaches(t, 1500) && gput_tracker_stop(t, 0, NULL) == 0;
    rows = rows_of(t, GPUT_STREAM_PROCESS);
    ok = ok && gput_rows_count(rows) >= 1500;
    gput_rows_close(rows);
    gput_tracker_close(t);
    return ok && n_children(NULL) == 0;
}

static void small_files(void)
{
    rlim_t small = gput__shared_series_at() + (200 << 10), smaller = 1024, none = 0;

    OK(in_child(has_rows_below, &small),
       "files with 200 KiB for rows at most: fewer of them, thinned out earlier");
    OK(in_child(has_all_rows_below, &smaller), "of 1 KiB: all rows, in memory that is no file");
    OK(in_child(has_all_rows_below, &none), "no files at all: likewise");
}

int main(void)
{
    what_they_say();
    pictures();
    none_were_asked_for();
    killed_helper();
    stopped_twice();
    forked();
    small_files();
    return DONE();
}
