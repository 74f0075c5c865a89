/* rows.c - the rows that a helper has made, as the process that asked for them reads them. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "api/inside/helper.h"
#include "api/inside/rows_copy.h"
#include "model/stream.h"
#include "report/stream.h"

struct gput_rows {
    struct gput__rows_copy *copy;
    enum gput_stream stream;
    size_t n;
    pid_t pid;
    uint32_t n_metrics;
    uint8_t metric[GPUT__N_METRICS];
};

/* What another process has written counts only as far as it fits into the memory. */
static const struct gput__series *series_of(const struct gput_tracker *t)
{
    const struct gput__client *c = t->client;

    if (!c)
        return t->streams.series;
    return c->series && gput__series_check(c->series, c->series_size) == 0 ? c->series : NULL;
}

uint64_t gput_stream_count(const struct gput_tracker *t)
{
    const struct gput__series *s = series_of(t);

    return s ? atomic_load_explicit(&s->n_total, memory_order_acquire) : 0;
}

/* The columns of the series that a stream tells. */
static bool *columns_of(const struct gput__series *series, enum gput_stream s)
{
    bool *wanted = calloc(GPUT__SERIES_FIRST + series->n_columns, sizeof(*wanted));
    struct gput__stream_columns all;

    if (!wanted)
        return NULL;
    gput__stream_columns(s, GPUT_COLUMNS_ALL, &all);
    wanted[GPUT__SERIES_TIME] = true;
    for (size_t i = 0; i < all.n; i++) {
        int at = all.column[i].form < GPUT__STREAM_LEVEL
                     ? -1
                     : gput__series_find(series, all.column[i].metric);

        if (at >= 0)
            wanted[at] = true;
    }
    return wanted;
}

int gput_rows_read(struct gput_tracker *t, enum gput_stream s, struct gput_rows **ret_rows)
{
    struct gput__client *c = t->client;
    struct gput_rows *rows;
    bool *wanted;
    size_t n = 0;
    int r;

    if (!c || !series_of(t))
        return -ENODATA;
    rows = calloc(1, sizeof(*rows));
    wanted = columns_of(c->series, s);
    r = rows && wanted ? gput__rows_copy_refresh(c, wanted, &n) : -ENOMEM;
    free(wanted);
    if (r < 0) {
        free(rows);
        return r;
    }
    *rows = (struct gput_rows){ .copy = gput__rows_copy_hold(c->rows),
                                .stream = s,
                                .n = n,
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

/* Those of GPUs that there are not have no memory: they are not even looked at. */
static bool *columns_in_use(const struct gput__series *s)
{
    bool *in_use = calloc(GPUT__SERIES_FIRST + s->n_columns, sizeof(*in_use));
    uint32_t n = GPUT__SERIES_FIRST + s->n_metrics + 2 * s->n_gpus;

    for (uint32_t i = 0; in_use && i < n && i < GPUT__SERIES_FIRST + s->n_columns; i++)
        in_use[i] = true;
    return in_use;
}

int gput__rows_columns(struct gput_tracker *t, const struct gput__series **ret_series,
                       double ***ret_columns, size_t *ret_n)
{
    const struct gput__series *s = series_of(t);
    uint32_t n_columns = s ? GPUT__SERIES_FIRST + s->n_columns : 0;
    size_t n = s ? s->n : 0;
    bool *in_use = s ? columns_in_use(s) : NULL;
    double **columns = in_use ? calloc(n_columns, sizeof(*columns)) : NULL;
    int r = !s ? -ENODATA : columns ? 0 : -ENOMEM;

    if (r == 0 && t->client)
        r = gput__rows_copy_refresh(t->client, in_use, &n);
    for (uint32_t i = 0; r == 0 && i < n_columns; i++)
        if (in_use[i])
            columns[i] = t->client ? gput__rows_copy_column(t->client->rows, i)
                                   : (double *)gput__series_column(s, i);
    free(in_use);
    if (r < 0) {
        free(columns);
        return r;
    }
    *ret_series = s;
    *ret_columns = columns;
    *ret_n = n;
    return 0;
}

/* --- values --------------------------------------------------------------------------------- */

/* The cells of a column; NULL: its values are not kept. */
static const double *cells_of(const struct gput_rows *rows, const struct gput__stream_column *c)
{
    if (c->form == GPUT__STREAM_TIME)
        return gput__rows_copy_column(rows->copy, GPUT__SERIES_TIME);
    for (uint32_t i = 0; i < rows->n_metrics; i++)
        if (rows->metric[i] == c->metric)
            return gput__rows_copy_column(rows->copy, GPUT__SERIES_FIRST + i);
    return NULL;
}

static void fill_values(const struct gput_rows *rows, const struct gput__stream_column *c,
                        size_t first, size_t n, double *ret)
{
    const double *cells = c->form == GPUT__STREAM_PID ? NULL : cells_of(rows, c);

    for (size_t i = 0; i < n; i++) {
        double value = c->form == GPUT__STREAM_PID ? rows->pid : cells ? cells[first + i] : NAN;

        ret[i] = gput__stream_value(c, value);
    }
}

int gput_rows_values(const struct gput_rows *rows, enum gput_columns names, unsigned column,
                     size_t first, size_t n, double *ret_values)
{
    struct gput__stream_columns all;

    gput__stream_columns(rows->stream, names, &all);
    if (column >= all.n || first > rows->n || n > rows->n - first)
        return -ERANGE;
    fill_values(rows, &all.column[column], first, n, ret_values);
    return 0;
}

int gput_rows_line(const struct gput_rows *rows, enum gput_columns names, enum gput_line format,
                   size_t row, char **ret_text)
{
    double values[GPUT__STREAM_MOST_COLUMNS];
    struct gput__stream_columns all;
    struct gput__buf out = { 0 };

    if (row >= rows->n)
        return -ERANGE;
    gput__stream_columns(rows->stream, names, &all);
    for (size_t i = 0; i < all.n; i++)
        fill_values(rows, &all.column[i], row, 1, &values[i]);
    gput__stream_print_row(&all, format, values, &out);
    return gput__buf_detach(&out, ret_text);
}

/* --- sums over all rows --------------------------------------------------------------------- */

static struct gput_column_stats stats_of(const struct gput__series *s,
                                         const struct gput__stream_column *c, double *ret_seconds)
{
    struct gput_column_stats stats = { 0 };
    struct gput__series_total t;

    if (c->form < GPUT__STREAM_LEVEL || !gput__series_total(s, c->metric, &t, ret_seconds))
        return stats;
    stats.n = t.n;
    if (t.n == 0 && t.seconds == 0)
        return stats;
    stats.min = gput__stream_exact(c, t.min);
    stats.max = gput__stream_exact(c, t.max);
    if (c->form == GPUT__STREAM_GAIN) {
        stats.sum = gput__stream_exact(c, t.sum);
        stats.mean = t.n ? stats.sum / (double)t.n : 0;
    } else {
        stats.mean = t.seconds > 0 ? gput__stream_exact(c, t.weighted / t.seconds) : 0;
        /* What came after the last row is in the mean alone: no row shows so much, or so little. */
        if (t.n > 0)
            stats.mean = fmax(stats.min, fmin(stats.mean, stats.max));
    }
    return stats;
}

int gput_stream_stats(const struct gput_tracker *t, enum gput_stream s, enum gput_columns names,
                      struct gput_column_stats *ret_stats, double *ret_seconds)
{
    const struct gput__series *series = series_of(t);
    struct gput__stream_columns all;
    double seconds = 0;

    if (!series)
        return -ENODATA;
    gput__stream_columns(s, names, &all);
    for (size_t i = 0; i < all.n; i++)
        ret_stats[i] = stats_of(series, &all.column[i], &seconds);
    if (ret_seconds)
        *ret_seconds = seconds;
    return 0;
}
