/* past_demands.c - what many runs of one job say of its next one. */
#include "analysis/past_demands.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "analysis/trend.h"

#define SHARE 0.95
/* Of fewer runs all peaks count: one in twenty is none of them. */
enum { MANY_RUNS = 20 };

static bool is_killed(const struct gput_demand *d)
{
    return d->oom != GPUT_OOM_NO;
}

static bool is_whole(const struct gput_demand *d)
{
    return d->ending == GPUT_EXITED && d->code == 0 && !d->timed_out && !is_killed(d);
}

/* What it had and was not enough. */
static double lower_bound(const struct gput_demand *d)
{
    return d->memory_limit > d->memory_peak ? d->memory_limit : d->memory_peak;
}

static double highest_peak(const struct gput_demand *runs, size_t n)
{
    double most = 0;

    for (size_t i = 0; i < n; i++)
        if (is_whole(&runs[i]) && runs[i].memory_peak > most)
            most = runs[i].memory_peak;
    return most;
}

static void count(const struct gput_demand *runs, size_t n, struct gput__past *past)
{
    for (size_t i = 0; i < n; i++) {
        if (!is_killed(&runs[i]))
            continue;
        past->n_killed++;
        if (lower_bound(&runs[i]) > past->killed_at)
            past->killed_at = lower_bound(&runs[i]);
    }
}

/* Whole runs, and of those killed for memory the ones that nobody has passed since. */
static size_t select_runs(struct gput_demand *runs, size_t n)
{
    double most = highest_peak(runs, n);
    bool has_whole = false;
    size_t k = 0;

    for (size_t i = 0; i < n; i++)
        has_whole |= is_whole(&runs[i]);
    for (size_t i = 0; i < n; i++) {
        bool counts = is_whole(&runs[i]) || !has_whole;

        if (is_killed(&runs[i]))
            counts = !(most > lower_bound(&runs[i]));
        if (counts)
            runs[k++] = runs[i];
    }
    return k;
}

static void lower(double *value, double most)
{
    if (*value > most)
        *value = most;
}

/* One figure of all whole runs, in `values`, which has room. */
static void list_values(const struct gput_demand *runs, size_t n, size_t at, double *values)
{
    for (size_t i = 0; i < n; i++)
        /* cppcheck-suppress invalidPointerCast; at is that of a double */
        values[i] = is_whole(&runs[i]) ? *(const double *)((const char *)&runs[i] + at) : NAN;
}

static void cut_peaks(struct gput_demand *runs, size_t n, double *values)
{
    static const size_t at[] = { offsetof(struct gput_demand, memory_peak),
                                 offsetof(struct gput_demand, memory_most),
                                 offsetof(struct gput_demand, vram_peak),
                                 offsetof(struct gput_demand, duration) };

    for (size_t k = 0; k < sizeof(at) / sizeof(*at); k++) {
        double most;

        list_values(runs, n, at[k], values);
        most = gput__percentile(values, n, SHARE);
        for (size_t i = 0; i < n; i++)
            if (is_whole(&runs[i]))
                /* cppcheck-suppress invalidPointerCast; at is that of a double */
                lower((double *)((char *)&runs[i] + at[k]), most);
    }
}

/* The newest run stands for the next one. */
static void follow_growth(struct gput_demand *runs, size_t n, const double *peaks,
                          struct gput__past *past)
{
    struct gput__trend trend;
    double most = highest_peak(runs, n);

    gput__trend_of(peaks, n, &trend);
    if (!(trend.per_run > 0))
        return;
    past->growth = trend.per_run;
    past->next_memory = trend.next > most ? trend.next : most;
    for (size_t i = n; i > 0; i--)
        if (is_whole(&runs[i - 1])) {
            runs[i - 1].memory_peak = past->next_memory;
            return;
        }
}

size_t gput__past_demands(struct gput_demand *runs, size_t n, struct gput__past *ret)
{
    struct gput__past past = { .n_runs = n, .share = n >= MANY_RUNS ? SHARE : 1 };
    double *values = calloc(n + 1, sizeof(*values)), *peaks = calloc(n + 1, sizeof(*peaks));
    size_t k = n;

    if (values && peaks) {
        count(runs, n, &past);
        k = select_runs(runs, n);
        list_values(runs, k, offsetof(struct gput_demand, memory_peak), peaks);
        if (n >= MANY_RUNS)
            cut_peaks(runs, k, values);
        follow_growth(runs, k, peaks, &past);
    }
    past.n_left_out = n - k;
    free(values);
    free(peaks);
    *ret = past;
    return k;
}
