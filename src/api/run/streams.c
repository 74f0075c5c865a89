/* streams.c - the rows of a run: one for each record, told on the spot or kept over time. */
#include "api/run/streams.h"

#include <errno.h>
#include <math.h>
#include <sys/mman.h>

#include "api/inside/shared_snapshot.h"
#include "api/tracker.h"
#include "base/clock.h"
#include "model/gpus.h"
#include "model/stream.h"
#include "report/stream.h"

/* Rows that are kept, and how many at a time the memory for them is made. */
#define MOST_ROWS (128 * 1024)
#define MOST_ROWS_OF_REPORT (32 * 1024)
#define ROWS_AT_ONCE 512

static void add_stream(struct gput__metric_set *to, enum gput_stream s, uint32_t flags)
{
    struct gput__stream_columns all;

    gput__stream_columns(s, flags & GPUT_ALL_COLUMNS ? GPUT_COLUMNS_ALL : GPUT_COLUMNS_KIB, &all);
    for (size_t i = 0; i < all.n; i++)
        if (all.column[i].form >= GPUT__STREAM_LEVEL)
            gput__metric_set_add(to, all.column[i].metric);
}

static struct gput__series_plan plan_for(uint32_t flags)
{
    struct gput__series_plan plan = { .cap = MOST_ROWS };

    if (flags & GPUT_STREAM_OF_SYSTEM)
        add_stream(&plan.metrics, GPUT_STREAM_SYSTEM, flags);
    if (flags & GPUT_STREAM_OF_PROCESS)
        add_stream(&plan.metrics, GPUT_STREAM_PROCESS, flags);
    if (!(flags & GPUT_KEEP_SERIES))
        return plan;
    for (int m = 0; m < GPUT__N_METRICS; m++)
        if (gput__metrics[m].line.chart)
            gput__metric_set_add(&plan.metrics, (enum gput__metric)m);
    plan.n_gpus = GPUT__MOST_GPUS;
    if (!(flags & GPUT__STREAM_FLAGS))
        plan.cap = MOST_ROWS_OF_REPORT;
    return plan;
}

/* How many rows fit, a multiple of what is made at once. */
static uint32_t rows_in(const struct gput__series_plan *plan, size_t size)
{
    struct gput__series_plan none = { .metrics = plan->metrics, .n_gpus = plan->n_gpus };
    size_t head = gput__series_size(&none);
    size_t row = (gput__series_size(plan) - head) / plan->cap;
    size_t n = size > head ? (size - head) / row / ROWS_AT_ONCE * ROWS_AT_ONCE : 0;

    return n < plan->cap ? (uint32_t)n : plan->cap;
}

size_t gput__streams_size(uint32_t flags, size_t most)
{
    struct gput__series_plan plan = plan_for(flags);

    plan.cap = rows_in(&plan, most);
    plan.cap = plan.cap ? plan.cap : ROWS_AT_ONCE;
    return gput__metric_set_is_empty(&plan.metrics) ? 0 : gput__series_size(&plan);
}

void gput__streams_init(struct gput__streams *s)
{
    s->fd = -1;
}

int gput__streams_open(struct gput__streams *s, struct gput__series *series, size_t size,
                       uint32_t flags, int fd, size_t at)
{
    struct gput__series_plan plan = plan_for(flags);

    plan.cap = rows_in(&plan, size);
    if (plan.cap == 0)
        return -EPROTO;
    gput__series_begin(series, &plan);
    s->series = series;
    s->fd = fd;
    s->at = at;
    if (fd >= 0)
        series->room = 0;
    return 0;
}

int gput__streams_open_own(struct gput__streams *s, uint32_t flags)
{
    size_t size = gput__streams_size(flags, SIZE_MAX);
    void *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
                   -1, 0);

    if (p == MAP_FAILED)
        return -errno;
    s->own_size = size;
    return gput__streams_open(s, p, size, flags, -1, 0);
}

void gput__streams_close(struct gput__streams *s)
{
    if (s->own_size)
        (void)munmap(s->series, s->own_size);
    *s = (struct gput__streams){ .fd = -1 };
}

/* Makes the memory of some rows in columns [first, last). */
static bool allocate(const struct gput__streams *s, uint32_t first, uint32_t last, uint32_t row,
                     uint32_t n_rows)
{
    for (uint32_t i = first; i < last; i++) {
        const double *from = gput__series_column(s->series, i) + row;

        if (gput__shared_allocate(s->fd, s->at + (size_t)((const char *)from - (char *)s->series),
                                  n_rows * sizeof(*from)) < 0)
            return false;
    }
    return true;
}

/* The columns in use: GPUs that there are not take no memory. */
static uint32_t columns_with(const struct gput__series *series, uint32_t n_gpus)
{
    uint32_t last = GPUT__SERIES_FIRST + series->n_metrics + 2 * n_gpus;
    uint32_t all = GPUT__SERIES_FIRST + series->n_columns;

    return last < all ? last : all;
}

/* Where memory is short, rows are thinned earlier. */
static void make_room(struct gput__streams *s)
{
    struct gput__series *series = s->series;

    if (s->fd < 0 || series->n < series->room || series->room == series->cap)
        return;
    if (allocate(s, 0, columns_with(series, series->n_gpus), series->room, ROWS_AT_ONCE))
        series->room += ROWS_AT_ONCE;
}

/* How many GPUs there is memory for: they may show up late. */
static uint32_t make_room_for_gpus(struct gput__streams *s, uint32_t n)
{
    struct gput__series *series = s->series;

    if (s->fd < 0 || n <= series->n_gpus)
        return n;
    return allocate(s, columns_with(series, series->n_gpus), columns_with(series, n), 0,
                    series->room)
               ? n
               : series->n_gpus;
}

void gput__streams_record(struct gput__streams *s, const struct gput__sample *from,
                          const struct gput__sample *to, const struct gput__series_gpus *gpus)
{
    struct gput__series_gpus kept = gpus ? *gpus : (struct gput__series_gpus){ 0 };

    s->has_row = true;
    s->from = *from;
    s->to = *to;
    if (!s->series)
        return;
    make_room(s);
    if (s->series->room == 0)
        return;
    kept.n = make_room_for_gpus(s, kept.n);
    gput__series_add(s->series, &s->from, &s->to, &kept);
}

void gput__streams_rest(struct gput__streams *s, const struct gput__sample *from,
                        const struct gput__sample *to)
{
    if (s->series)
        gput__series_add_rest(s->series, from, to);
}

/* --- one row -------------------------------------------------------------------------------- */

const char *gput_stream_column(enum gput_stream s, enum gput_columns names, unsigned i,
                               int *ret_is_whole)
{
    struct gput__stream_columns all;

    gput__stream_columns(s, names, &all);
    if (i >= all.n)
        return NULL;
    if (ret_is_whole)
        *ret_is_whole = all.column[i].decimals == GPUT__STREAM_WHOLE;
    return all.column[i].name;
}

int gput_stream_header(enum gput_stream s, enum gput_columns names, char **ret_text)
{
    struct gput__buf out = { 0 };

    gput__stream_print_header(s, names, &out);
    return gput__buf_detach(&out, ret_text);
}

static double value_of(const struct gput_tracker *t, const struct gput__stream_column *c)
{
    const struct gput__streams *s = &t->streams;

    if (c->form == GPUT__STREAM_TIME)
        return (double)(s->to.real_ns / GPUT__NS_PER_S) +
               (double)(s->to.real_ns % GPUT__NS_PER_S) / 1e9;
    if (c->form == GPUT__STREAM_PID)
        return t->job.pid;
    return gput__sample_over(&s->from, &s->to, c->metric);
}

/* The row that came last; -ENODATA: none has. */
static int read_row(const struct gput_tracker *t, enum gput_stream s, enum gput_columns names,
                    struct gput__stream_columns *all, double values[GPUT__STREAM_MOST_COLUMNS])
{
    if (!t->streams.has_row)
        return -ENODATA;
    gput__stream_columns(s, names, all);
    for (size_t i = 0; i < all->n; i++)
        values[i] = value_of(t, &all->column[i]);
    return 0;
}

int gput_stream_table(const struct gput_tracker *t, enum gput_stream s, enum gput_columns names,
                      int width, int with_heads, char **ret_text)
{
    const struct gput__gpus *gpus = t->gpu.thread;
    struct gput__stream_table table = { .width = width,
                                        .has_gpus = gpus && gpus->found.state != GPUT__GPUS_NONE,
                                        .with_heads = with_heads != 0 };
    double values[GPUT__STREAM_MOST_COLUMNS];
    struct gput__stream_columns all;
    struct gput__buf out = { 0 };
    int r = read_row(t, s, names, &all, values);

    if (r < 0)
        return r;
    gput__stream_print_table(&all, &table, values, &out);
    return gput__buf_detach(&out, ret_text);
}

int gput_stream_line(const struct gput_tracker *t, enum gput_stream s, enum gput_columns names,
                     enum gput_line format, char **ret_text)
{
    double values[GPUT__STREAM_MOST_COLUMNS];
    struct gput__stream_columns all;
    struct gput__buf out = { 0 };
    int r = read_row(t, s, names, &all, values);

    if (r < 0)
        return r;
    for (size_t i = 0; i < all.n; i++)
        values[i] = gput__stream_value(&all.column[i], values[i]);
    gput__stream_print_row(&all, format, values, &out);
    return gput__buf_detach(&out, ret_text);
}
