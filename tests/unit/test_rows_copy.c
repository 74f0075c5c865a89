/* test_rows_copy.c - rows in shared memory, read while another thread makes more and thins them. */
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "api/inside/helper.h"
#include "api/inside/rows_copy.h"
#include "model/stream.h"
#include "summary/series.h"
#include "tap.h"

#define CAP 16384
#define READS 500
#define SENT 1000.0

static struct gput__series_plan plan = {
    .cap = CAP,
};

static void choose_metrics(void)
{
    static const enum gput__metric chosen[] = { GPUT__JOB_PSS, GPUT__JOB_GPU_RAM,
                                                GPUT__JOB_DISK_WRITE };

    for (size_t i = 0; i < sizeof(chosen) / sizeof(*chosen); i++)
        gput__metric_set_add(&plan.metrics, chosen[i]);
}
enum { TIMESTAMP = 0, MEMORY = 6, WRITE_BYTES = 8, GPU_VRAM = 10 }; /* columns of the process */

struct scene {
    struct gput__series *series;
    struct gput_tracker tracker;
    struct gput__client client;
};

static void begin(struct scene *s)
{
    *s = (struct scene){ 0 };
    s->series = mmap(NULL, gput__series_size(&plan), PROT_READ | PROT_WRITE,
                     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (s->series == MAP_FAILED)
        exit(99);
    gput__series_begin(s->series, &plan);
    s->client = (struct gput__client){
        .owner = getpid(), .pidfd = -1, .series = s->series, .series_size = gput__series_size(&plan)
    };
    s->tracker.client = &s->client;
}

static void end(struct scene *s)
{
    gput__rows_copy_drop(s->client.rows);
    munmap(s->series, gput__series_size(&plan));
}

/* The nth second: each level grows, so that thinning keeps rows as they were; so much is written. */
static struct gput__sample at(int n)
{
    struct gput__sample s = { .boot_ns = n * INT64_C(1000000000),
                              .real_ns = (1000000 + n) * INT64_C(1000000000) };

    gput__sample_set(&s, GPUT__JOB_PSS, 1024.0 * n);
    gput__sample_set(&s, GPUT__JOB_GPU_RAM, 1024.0 * 1024 * n);
    gput__sample_set(&s, GPUT__JOB_DISK_WRITE, SENT * n);
    return s;
}

static void add_rows(struct gput__series *s, int n)
{
    struct gput__sample before = at(n - 1), now = at(n);

    gput__series_add(s, &before, &now, NULL);
}

struct table {
    size_t n;
    double memory[CAP], vram[CAP], written[CAP], time[CAP];
};

static void copy_rows(const struct gput_rows *rows, struct table *ret)
{
    memset(ret, 0, sizeof(*ret));
    ret->n = gput_rows_count(rows);
    (void)gput_rows_values(rows, GPUT_COLUMNS_KIB, MEMORY, 0, ret->n, ret->memory);
    (void)gput_rows_values(rows, GPUT_COLUMNS_KIB, GPU_VRAM, 0, ret->n, ret->vram);
    (void)gput_rows_values(rows, GPUT_COLUMNS_KIB, WRITE_BYTES, 0, ret->n, ret->written);
    (void)gput_rows_values(rows, GPUT_COLUMNS_KIB, TIMESTAMP, 0, ret->n, ret->time);
}

/* Whether all cells are of the same rows, none is missing and none is there twice. */
static bool is_whole(const struct table *t)
{
    double written = 0, last = 0;

    for (size_t i = 0; i < t->n; i++) {
        if (t->memory[i] != t->vram[i] || t->memory[i] <= last || t->time[i] < 1000000 + last)
            return false;
        last = t->memory[i];
        written += t->written[i];
    }
    return written == SENT * last;
}

/* --- one after the other -------------------------------------------------------------------- */

static void pictures(void)
{
    struct gput_rows *early = NULL, *late = NULL;
    static struct table then, now;
    double value;
    struct scene s;

    begin(&s);
    for (int n = 1; n <= 10; n++)
        add_rows(s.series, n);
    OK(gput_rows_read(&s.tracker, GPUT_STREAM_PROCESS, &early) == 0 && gput_rows_count(early) == 10,
       "ten rows");
    copy_rows(early, &then);
    OK(is_whole(&then), "as they were made");
    for (int n = 11; n <= 3 * CAP; n++)
        add_rows(s.series, n);
    copy_rows(early, &now);
    OK(memcmp(&then, &now, sizeof(then)) == 0, "they are still the same when others were thinned");
    OK(gput_rows_read(&s.tracker, GPUT_STREAM_PROCESS, &late) == 0 && gput_rows_count(late) > 10 &&
           gput_rows_count(late) <= CAP,
       "new ones are others");
    copy_rows(late, &now);
    OK(is_whole(&now) && now.memory[now.n - 1] == 3 * CAP, "of the whole time");
    OK(gput_stream_count(&s.tracker) == 3 * CAP, "all that were ever made are counted");
    OK(gput_rows_values(early, GPUT_COLUMNS_KIB, MEMORY, 10, 1, &value) == -ERANGE &&
           gput_rows_values(early, GPUT_COLUMNS_KIB, 12, 0, 1, &value) == -ERANGE,
       "there is no eleventh row, no thirteenth column");
    gput_rows_close(early);
    copy_rows(late, &then);
    OK(memcmp(&then, &now, sizeof(then)) == 0, "closing one leaves the others alone");
    gput_rows_close(late);
    gput_rows_close(NULL);
    end(&s);
}

/* A job that grows after its last row. */
static void after_the_last_row(void)
{
    struct gput_column_stats stats[GPUT__STREAM_MOST_COLUMNS];
    struct gput__sample last = at(1), end_of_job = at(2);
    struct scene s;
    int r;

    begin(&s);
    add_rows(s.series, 1);
    gput__sample_set(&end_of_job, GPUT__JOB_PSS, 1e9);
    gput__series_add_rest(s.series, &last, &end_of_job);
    r = gput_stream_stats(&s.tracker, GPUT_STREAM_PROCESS, GPUT_COLUMNS_KIB, stats, NULL);
    OK(r == 0 && stats[MEMORY].n == 1 && stats[MEMORY].max == 1 && stats[MEMORY].mean == 1,
       "no mean is above what rows show: %g, %g", stats[MEMORY].mean, stats[MEMORY].max);
    OK(stats[WRITE_BYTES].sum == 2 * SENT, "but what was counted then is in the sum: %g",
       stats[WRITE_BYTES].sum);
    end(&s);
}

/* What stands in the memory may be anything if something else has written there. */
static void spoiled(void)
{
    struct gput_column_stats stats[GPUT__STREAM_MOST_COLUMNS];
    struct gput_rows *rows = NULL;
    struct scene s;

    begin(&s);
    for (int n = 1; n <= 10; n++)
        add_rows(s.series, n);
    s.series->n = UINT64_C(1) << 40;
    OK(gput_rows_read(&s.tracker, GPUT_STREAM_PROCESS, &rows) == 0 && gput_rows_count(rows) == CAP,
       "there are never more rows than there is room for");
    gput_rows_close(rows);
    s.series->n = 10;
    s.series->n_metrics = s.series->n_columns = 200;
    OK(gput_rows_read(&s.tracker, GPUT_STREAM_PROCESS, &rows) == -ENODATA &&
           gput_stream_stats(&s.tracker, GPUT_STREAM_PROCESS, GPUT_COLUMNS_KIB, stats, NULL) ==
               -ENODATA,
       "a series that does not fit into its memory has no rows");
    end(&s);
}

/* The helper has died in the middle of thinning. */
static void half_thinned(void)
{
    struct gput_rows *before = NULL, *after = NULL, *none = NULL;
    static struct table then, now;
    struct scene s;

    begin(&s); /* pid 0 of no child: it has ended */
    for (int n = 1; n <= 100; n++)
        add_rows(s.series, n);
    OK(gput_rows_read(&s.tracker, GPUT_STREAM_PROCESS, &before) == 0, "rows were read");
    copy_rows(before, &then);
    s.series->epoch++;
    memset(s.series->cells, 0, 50 * sizeof(double));
    OK(gput_rows_read(&s.tracker, GPUT_STREAM_PROCESS, &after) == 0,
       "then the helper died while it moved them");
    copy_rows(after, &now);
    OK(memcmp(&then, &now, sizeof(then)) == 0, "those that were read stand");
    gput_rows_close(before);
    gput_rows_close(after);
    gput__rows_copy_drop(s.client.rows);
    s.client.rows = NULL;
    OK(gput_rows_read(&s.tracker, GPUT_STREAM_PROCESS, &none) == -ENODATA && !none,
       "without any there are none");
    end(&s);
}

/* --- at the same time ----------------------------------------------------------------------- */

struct writing {
    struct gput__series *series;
    _Atomic bool enough;
};

static void *write_rows(void *arg)
{
    struct writing *w = arg;

    for (int n = 1; !w->enough || w->series->epoch < 10; n++)
        add_rows(w->series, n);
    return NULL;
}

static void while_it_is_written(void)
{
    static struct table t;
    struct writing w = { .enough = false };
    unsigned n_bad = 0;
    struct scene s;
    pthread_t writer;

    begin(&s);
    w.series = s.series;
    s.client.pid = getppid(); /* no child of ours: as if it had ended */
    if (pthread_create(&writer, NULL, write_rows, &w) != 0)
        exit(99);
    for (int n_reads = 0; n_reads < READS;) {
        struct gput_rows *rows = NULL;

        if (gput_rows_read(&s.tracker, GPUT_STREAM_PROCESS, &rows) < 0)
            continue; /* it was just being thinned */
        n_reads++;
        copy_rows(rows, &t);
        n_bad += !is_whole(&t);
        gput_rows_close(rows);
        gput__rows_copy_drop(s.client.rows); /* so that all are read anew, those that move too */
        s.client.rows = NULL;
    }
    w.enough = true;
    pthread_join(writer, NULL);
    OK(gput_stream_count(&s.tracker) > 3 * CAP, "%d reads while rows were made and thinned", READS);
    OK(n_bad == 0, "%u of them were torn", n_bad);
    end(&s);
}

int main(void)
{
    choose_metrics();
    pictures();
    after_the_last_row();
    spoiled();
    half_thinned();
    while_it_is_written();
    return DONE();
}
