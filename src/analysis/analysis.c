/* analysis.c - what each code block of a run took. */
#include "analysis/analysis.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* How many intervals may lie between a record and the beginning or end of a run. */
#define LONGEST_END 2

static void set_stats(struct gput_stats *ret, const struct gput__usage_moments *m)
{
    for (size_t i = 0; i < GPUT__N_MEASURED; i++)
        ret[i] = gput__moments_stats(&m->of[i]);
}

static int by_start(const void *a, const void *b)
{
    const struct gput_call *x = a, *y = b;

    return (x->start > y->start) - (x->start < y->start);
}

/* The time in which at least one of the calls ran; they are put in the order of their starts. */
static double covered(struct gput_call *calls, size_t n)
{
    double sum = 0, until = -INFINITY;

    qsort(calls, n, sizeof(*calls), by_start);
    for (size_t i = 0; i < n; i++) {
        double from = calls[i].start > until ? calls[i].start : until;

        if (calls[i].stop <= from)
            continue;
        sum += calls[i].stop - from;
        until = calls[i].stop;
    }
    return sum;
}

static int time_calls(struct gput_block *b, const struct gput__block_calls *calls)
{
    double *seconds = malloc((calls->n + 1) * sizeof(*seconds));
    struct gput_call *copy = malloc((calls->n + 1) * sizeof(*copy));
    struct gput__moments m = { 0 };

    if (seconds && copy) {
        for (size_t i = 0; i < calls->n; i++) {
            seconds[i] = calls->calls[i].stop - calls->calls[i].start;
            copy[i] = calls->calls[i];
        }
        gput__moments_add(&m, seconds, calls->n);
        b->compute_time = gput__moments_stats(&m);
        b->wall_time = covered(copy, calls->n);
    }
    free(seconds);
    free(copy);
    return seconds && copy ? 0 : -ENOMEM;
}

static int set_block(struct gput_analysis *a, uint32_t i, const struct gput__sweep *sweep)
{
    const struct gput__block_calls *calls = &a->calls.blocks[i];
    const struct gput__usage_moments *usage = gput__sweep_block(sweep, i);
    struct gput_stats *stats = a->usage + (size_t)i * GPUT__N_MEASURED;
    struct gput_block *b = &a->blocks[i];

    *b = (struct gput_block){
        .name = calls->name,
        .num_timepoints = usage->of[0].n,
        .num_calls = calls->n,
        .num_unfinished_calls = calls->n_unfinished,
        .resource_usage = stats,
        .num_exact_calls = calls->cpu_time.n,
        .cpu_time = gput__moments_stats(&calls->cpu_time),
        .num_peaks = calls->n_peaks,
        .peak_ram = calls->peak_rss_bytes,
        .calls = calls->calls,
    };
    for (size_t k = 0; k < calls->n; k++)
        b->num_non_empty_calls +=
            gput__sweep_has_record(sweep, calls->calls[k].start, calls->calls[k].stop);
    set_stats(stats, usage);
    return time_calls(b, calls);
}

static void widen(struct gput_analysis *a, double first, double last)
{
    a->first = a->first <= first ? a->first : first;
    a->last = a->last >= last ? a->last : last;
}

static int set_all(struct gput_analysis *a, const struct gput__sweep *sweep)
{
    double first = NAN, last = NAN;
    uint32_t n = a->calls.n_blocks;

    a->n_records = gput__sweep_n_records(sweep, &first, &last);
    a->first = a->calls.first;
    a->last = a->calls.last;
    if (a->n_records > 0)
        widen(a, first, last);
    set_stats(a->overall, gput__sweep_overall(sweep));
    a->blocks = calloc(n + 1, sizeof(*a->blocks));
    a->usage = calloc((size_t)n * GPUT__N_MEASURED + 1, sizeof(*a->usage));
    if (!a->blocks || !a->usage)
        return -ENOMEM;
    for (uint32_t i = 0; i < n; i++)
        if (set_block(a, i, sweep) < 0)
            return -ENOMEM;
    a->n_blocks = n;
    return 0;
}

static int read_records(struct gput_analysis *a, struct gput__sweep *sweep, const char *path,
                        const struct gput_callbacks *on, struct gput_error *ret_err)
{
    struct gput__tracking_file file;
    double row[GPUT__N_COLUMNS];
    int r = gput__tracking_file_open(&file, path, on, ret_err);

    while (r == 0 && (r = gput__tracking_file_next(&file, row, ret_err)) > 0) {
        r = gput__sweep_add(sweep, row);
        if (r < 0)
            gput__table_fail(file.table, ret_err, "%s", strerror(ENOMEM));
    }
    if (r == 0) {
        memcpy(a->statics, file.statics, sizeof(a->statics));
        a->ram_unit_size = file.ram_unit_size;
        a->has_tracking = true;
    }
    gput__tracking_file_close(&file);
    return r;
}

/* Marks go on in the same file from run to run, so those of an earlier one may be among them.  A run
 * begins and ends within an interval of its first and last record. */
static uint64_t count_calls_elsewhere(const struct gput_analysis *a,
                                      const struct gput__sweep *sweep, uint64_t *ret_all)
{
    double first, last, slack;
    uint64_t n = 0;
    size_t n_records = gput__sweep_n_records(sweep, &first, &last);

    *ret_all = 0;
    if (n_records < 2)
        return 0;
    slack = LONGEST_END * (last - first) / (double)(n_records - 1);
    for (uint32_t i = 0; i < a->n_blocks; i++) {
        *ret_all += a->blocks[i].num_calls;
        for (uint64_t k = 0; k < a->blocks[i].num_calls; k++)
            n += a->blocks[i].calls[k].stop < first - slack ||
                 a->blocks[i].calls[k].start > last + slack;
    }
    return n;
}

static void warn_of_calls_elsewhere(const struct gput_analysis *a, const struct gput__sweep *sweep,
                                    const char *file, const struct gput_callbacks *on)
{
    uint64_t all, n = count_calls_elsewhere(a, sweep, &all);
    char line[400];

    if (n == 0 || !on || !on->warn)
        return;
    snprintf(line, sizeof(line),
             "%.200s: %llu of %llu calls lie outside of the time that was tracked; are there marks "
             "of another run in it?",
             file, (unsigned long long)n, (unsigned long long)all);
    on->warn(on->ctx, line);
}

/* Where the records are from: a tracking file or a run; both NULL: there are none. */
struct records {
    const char *file;
    const struct gput__run *run;
};

static int add_records_of_run(struct gput__sweep *sweep, const struct gput__run *run)
{
    const struct gput__static_data hardware = {
        .system_core_count = (unsigned)run->usage.cpu_utilization.system_core_count.value,
        .n_expected_cores = (unsigned)run->usage.cpu_utilization.n_expected_cores.value,
        .n_expected_gpus = (unsigned)run->usage.gpu_utilization.n_expected_gpus.value,
    };
    struct gput__record_columns columns;
    double row[GPUT__N_COLUMNS];
    int r = 0;

    gput__record_columns(false, &columns);
    for (size_t i = 0; r == 0 && i < run->series.n; i++) {
        for (size_t k = 0; k < GPUT__N_MEASURED; k++) {
            const struct gput__record_column *c = &columns.column[k];
            const double *values = run->series.value[c->metric];

            row[k] = values ? values[i] : NAN;
            if (c->is_share)
                row[k] /= gput__record_hardware(&hardware, c->metric);
        }
        row[GPUT__N_MEASURED] = run->series.time[i];
        r = gput__sweep_add(sweep, row);
    }
    return r;
}

/* A tracker knows when it began and ended; of a file the first and the last interval are guessed. */
static void find_span(const struct gput__run *run, double *ret_from, double *ret_to)
{
    double slack = run->source && !isnan(run->interval) ? LONGEST_END * run->interval : 0;

    *ret_from = -INFINITY;
    *ret_to = INFINITY;
    if (run->series.n == 0)
        return;
    *ret_from = fmin(run->series.time[0], run->start) - slack; /* fmin() leaves NAN aside */
    *ret_to = fmax(run->series.time[run->series.n - 1], run->end) + slack;
}

/* Blocks of which no call is left, and tells how many calls are not. */
static void drop_what_lies_elsewhere(struct gput_analysis *a, const char *file,
                                     const struct gput_callbacks *on)
{
    size_t n = 0;
    char line[400];

    if (a->calls.n_elsewhere == 0)
        return;
    for (size_t i = 0; i < a->n_blocks; i++)
        if (a->blocks[i].num_calls > 0)
            a->blocks[n++] = a->blocks[i];
    a->n_blocks = n;
    if (!on || !on->warn)
        return;
    snprintf(line, sizeof(line),
             "%.200s: %llu of %llu calls lie outside of the time that was tracked and are left out",
             file, (unsigned long long)a->calls.n_elsewhere,
             (unsigned long long)(a->calls.n_elsewhere + a->calls.n));
    on->warn(on->ctx, line);
}

static int add_records(struct gput_analysis *a, struct gput__sweep *sweep,
                       const struct records *records, const struct gput_callbacks *on,
                       struct gput_error *ret_err)
{
    if (records->run)
        return add_records_of_run(sweep, records->run);
    return records->file ? read_records(a, sweep, records->file, on, ret_err) : 0;
}

static int make(const struct records *records, const char *sub_tracking_file,
                const struct gput_callbacks *on, struct gput_analysis **ret,
                struct gput_error *ret_err)
{
    struct gput_analysis *a = calloc(1, sizeof(*a));
    struct gput__sweep *sweep = NULL;
    double from = -INFINITY, to = INFINITY;
    int r = -ENOMEM;

    *ret_err = (struct gput_error){ .text = "out of memory" };
    if (!a)
        return r;
    a->ram_unit_size = 1;
    a->calls.first = a->calls.last = a->first = a->last = NAN;
    if (records->run)
        find_span(records->run, &from, &to);
    r = sub_tracking_file ? gput__calls_read(&a->calls, sub_tracking_file, from, to, on, ret_err)
                          : 0;
    r = r < 0 ? r : gput__sweep_open(&a->calls, &sweep);
    r = r < 0 ? r : add_records(a, sweep, records, on, ret_err);
    if (r == 0) {
        gput__sweep_finish(sweep);
        r = set_all(a, sweep);
        if (r == 0 && records->run)
            drop_what_lies_elsewhere(a, sub_tracking_file, on);
        else if (r == 0 && records->file && sub_tracking_file)
            warn_of_calls_elsewhere(a, sweep, sub_tracking_file, on);
    }
    gput__sweep_close(sweep);
    if (r < 0) {
        gput__analysis_close(a);
        return r;
    }
    *ret = a;
    return 0;
}

int gput__analysis_make(const char *tracking_file, const char *sub_tracking_file,
                        const struct gput_callbacks *on, struct gput_analysis **ret,
                        struct gput_error *ret_err)
{
    return make(&(struct records){ .file = tracking_file }, sub_tracking_file, on, ret, ret_err);
}

int gput__analysis_of_run(const struct gput__run *run, const char *sub_tracking_file,
                          const struct gput_callbacks *on, struct gput_analysis **ret,
                          struct gput_error *ret_err)
{
    return make(&(struct records){ .run = run }, sub_tracking_file, on, ret, ret_err);
}

struct gput_analysis *gput__analysis_close(struct gput_analysis *a)
{
    if (!a)
        return NULL;
    gput__calls_free(&a->calls);
    free(a->blocks);
    free(a->usage);
    free(a);
    return NULL;
}
