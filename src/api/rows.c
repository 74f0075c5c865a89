/* rows.c - the rows that a helper has made, as the process that asked for them reads them.
 *
 * A copy of them is kept and only grows, so that asking again takes what is new and no more.  Whoever
 * holds rows holds the copy as it was: it is made anew when the helper has thinned its own. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "api/helper.h"
#include "model/stream.h"
#include "report/stream.h"

#define MOST_TRIES 1000
/* Shared pages that were read count as the program's own memory: they are given back. */
#define LEAST_TO_GIVE_BACK (256 * 1024)

struct gput__rows_copy {
    unsigned n_holders;
    uint64_t epoch;
    size_t n, cap;
    uint32_t n_columns;
    double *columns[];
};

struct gput_rows {
    struct gput__rows_copy *copy;
    size_t n;
    pid_t pid;
    uint32_t n_metrics;
    uint8_t metric[GPUT__N_METRICS];
};

void gput__rows_copy_drop(struct gput__rows_copy *copy)
{
    if (!copy || --copy->n_holders > 0)
        return;
    for (uint32_t i = 0; i < copy->n_columns; i++)
        free(copy->columns[i]);
    free(copy);
}

static struct gput__rows_copy *new_copy(uint64_t epoch, uint32_t n_columns)
{
    struct gput__rows_copy *copy = calloc(1, sizeof(*copy) + n_columns * sizeof(*copy->columns));

    if (!copy)
        return NULL;
    copy->n_holders = 1;
    copy->epoch = epoch;
    copy->n_columns = n_columns;
    return copy;
}

static int make_room(struct gput__rows_copy *copy, size_t n)
{
    size_t cap = copy->cap * 2 > n ? copy->cap * 2 : n;

    if (n <= copy->cap)
        return 0;
    for (uint32_t i = 0; i < copy->n_columns; i++) {
        double *bigger = realloc(copy->columns[i], cap * sizeof(*bigger));

        if (!bigger)
            return -ENOMEM;
        copy->columns[i] = bigger;
    }
    copy->cap = cap;
    return 0;
}

static void give_back(const double *cells, size_t n)
{
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    uintptr_t from = ((uintptr_t)cells + page - 1) & ~(page - 1);
    uintptr_t to = (uintptr_t)(cells + n) & ~(page - 1);

    if (to > from && to - from >= LEAST_TO_GIVE_BACK)
        (void)madvise((void *)from, to - from, MADV_DONTNEED);
}

static void copy_new(const struct gput__series *s, struct gput__rows_copy *copy, size_t n)
{
    for (uint32_t i = 0; i < copy->n_columns; i++) {
        const double *from = gput__series_column(s, i) + copy->n;

        memcpy(copy->columns[i] + copy->n, from, (n - copy->n) * sizeof(*from));
        give_back(from, n - copy->n);
    }
}

/* Rows are being thinned, which takes some milliseconds.  A helper that died in the middle of it has
 * left rows of both kinds: then those that were copied before stand.  1: try again. */
static int wait_for_thinning(struct gput__client *c, uint64_t epoch)
{
    if (!gput__client_has_ended(c)) {
        usleep(1000);
        return 1;
    }
    return c->rows && c->rows->epoch + 1 == epoch ? 0 : -ENODATA;
}

/* Brings the client's copy up to date. */
static int refresh(struct gput__client *c, const struct gput__series *s)
{
    for (int i = 0; i < MOST_TRIES; i++) {
        uint64_t epoch = atomic_load_explicit(&s->epoch, memory_order_acquire);
        size_t n = atomic_load_explicit(&s->n, memory_order_acquire);
        int r = epoch & 1 ? wait_for_thinning(c, epoch) : 0;

        if (r > 0)
            continue;
        if (r < 0 || (epoch & 1))
            return r;
        if (!c->rows || c->rows->epoch != epoch || c->rows->n > n) {
            gput__rows_copy_drop(c->rows);
            c->rows = new_copy(epoch, GPUT__SERIES_FIRST + s->n_columns);
        }
        if (!c->rows || make_room(c->rows, n) < 0)
            return -ENOMEM;
        copy_new(s, c->rows, n);
        atomic_thread_fence(memory_order_acquire);
        if (atomic_load_explicit(&s->epoch, memory_order_relaxed) == epoch) {
            c->rows->n = n;
            return 0;
        }
    }
    return -EAGAIN;
}

static const struct gput__series *series_of(const struct gput_tracker *t)
{
    return t->client ? t->client->series : t->streams.series;
}

uint64_t gput_stream_count(const struct gput_tracker *t)
{
    const struct gput__series *s = series_of(t);

    return s ? atomic_load_explicit(&s->n_total, memory_order_acquire) : 0;
}

int gput_rows_read(struct gput_tracker *t, struct gput_rows **ret_rows)
{
    struct gput__client *c = t->client;
    struct gput_rows *rows;
    int r;

    if (!c || !c->series)
        return -ENODATA;
    r = refresh(c, c->series);
    if (r < 0)
        return r;
    rows = calloc(1, sizeof(*rows));
    if (!rows)
        return -ENOMEM;
    c->rows->n_holders++;
    *rows = (struct gput_rows){ .copy = c->rows,
                                .n = c->rows->n,
                                .pid = t->opts.process_id ? t->opts.process_id : c->owner,
                                .n_metrics = c->series->n_metrics };
    memcpy(rows->metric, c->series->metric, sizeof(rows->metric));
    *ret_rows = rows;
    return 0;
}

size_t gput_rows_count(const struct gput_rows *rows)
{
    return rows->n;
}

void gput_rows_close(struct gput_rows *rows)
{
    if (!rows)
        return;
    gput__rows_copy_drop(rows->copy);
    free(rows);
}

int gput__rows_columns(struct gput_tracker *t, const struct gput__series **ret_series,
                       double ***ret_columns, size_t *ret_n)
{
    const struct gput__series *s = series_of(t);
    uint32_t n_columns = s ? GPUT__SERIES_FIRST + s->n_columns : 0;
    double **columns;
    int r = !s ? -ENODATA : t->client ? refresh(t->client, s) : 0;

    if (r < 0)
        return r;
    columns = calloc(n_columns, sizeof(*columns));
    if (!columns)
        return -ENOMEM;
    for (uint32_t i = 0; i < n_columns; i++)
        columns[i] = t->client ? t->client->rows->columns[i] : (double *)gput__series_column(s, i);
    *ret_series = s;
    *ret_columns = columns;
    *ret_n = t->client ? t->client->rows->n : s->n;
    return 0;
}

/* --- values --------------------------------------------------------------------------------- */

/* The cells of a column; NULL: its values are not kept. */
static const double *cells_of(const struct gput_rows *rows, const struct gput__stream_column *c)
{
    if (c->form == GPUT__STREAM_TIME)
        return rows->copy->columns[GPUT__SERIES_TIME];
    for (uint32_t i = 0; i < rows->n_metrics; i++)
        if (rows->metric[i] == c->metric)
            return rows->copy->columns[GPUT__SERIES_FIRST + i];
    return NULL;
}

int gput_rows_values(const struct gput_rows *rows, enum gput_stream s, enum gput_columns names,
                     unsigned column, size_t first, size_t n, double *ret_values)
{
    size_t n_columns;
    const struct gput__stream_column *c = gput__stream_columns(s, &n_columns);
    const double *cells;

    if (column >= n_columns || first > rows->n || n > rows->n - first)
        return -ERANGE;
    c += column;
    cells = cells_of(rows, c);
    for (size_t i = 0; i < n; i++) {
        double value = c->form == GPUT__STREAM_PID ? rows->pid : cells ? cells[first + i] : NAN;

        ret_values[i] = gput__stream_value(c, names, value);
    }
    return 0;
}

int gput_rows_line(const struct gput_rows *rows, enum gput_stream s, enum gput_columns names,
                   enum gput_line format, size_t row, char **ret_text)
{
    double values[GPUT__STREAM_MOST_COLUMNS];
    struct gput__buf out = { 0 };

    for (unsigned i = 0; gput_stream_column(s, names, i, NULL); i++) {
        int r = gput_rows_values(rows, s, names, i, row, 1, &values[i]);

        if (r < 0)
            return r;
    }
    gput__stream_print_row(s, names, format, values, &out);
    return gput__buf_take(&out, ret_text);
}

/* --- sums over all rows --------------------------------------------------------------------- */

static struct gput_column_stats stats_of(const struct gput__series *s,
                                         const struct gput__stream_column *c,
                                         enum gput_columns names, double *ret_seconds)
{
    struct gput_column_stats stats = { 0 };
    struct gput__series_total t;

    if (c->metric == GPUT__N_METRICS || !gput__series_total(s, c->metric, &t, ret_seconds))
        return stats;
    stats.n = t.n;
    if (t.n == 0 && t.seconds == 0)
        return stats;
    stats.min = gput__stream_exact(c, names, t.min);
    stats.max = gput__stream_exact(c, names, t.max);
    if (c->form == GPUT__STREAM_GAIN) {
        stats.sum = gput__stream_exact(c, names, t.sum);
        stats.mean = t.n ? stats.sum / (double)t.n : 0;
    } else {
        stats.mean = t.seconds > 0 ? gput__stream_exact(c, names, t.weighted / t.seconds) : 0;
    }
    return stats;
}

int gput_stream_stats(const struct gput_tracker *t, enum gput_stream s, enum gput_columns names,
                      struct gput_column_stats *ret_stats, double *ret_seconds)
{
    const struct gput__series *series = series_of(t);
    double seconds = 0;
    size_t n;
    const struct gput__stream_column *c = gput__stream_columns(s, &n);

    if (!series)
        return -ENODATA;
    for (size_t i = 0; i < n; i++)
        ret_stats[i] = stats_of(series, &c[i], names, &seconds);
    if (ret_seconds)
        *ret_seconds = seconds;
    return 0;
}
