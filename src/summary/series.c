/* series.c - what a run was over time: a row per record, in memory of fixed size. */
#include "summary/series.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "model/gpus.h"

#define LARGEST_CAP (1u << 24)
#define MOST_TRIES 1000

static bool is_gain(enum gput__metric m)
{
    return gput__metrics[m].kind == GPUT__COUNTER;
}

static size_t count_metrics(const struct gput__metric_set *set)
{
    size_t n = 0;

    for (int m = 0; m < GPUT__N_METRICS; m++)
        n += gput__metric_set_has(set, (enum gput__metric)m);
    return n;
}

size_t gput__series_size(const struct gput__series_plan *plan)
{
    size_t n = count_metrics(&plan->metrics) + 2 * (size_t)plan->n_gpus;

    return sizeof(struct gput__series) +
           (GPUT__SERIES_FIRST + n) * plan->cap * sizeof(((struct gput__series *)0)->cells[0]);
}

void gput__series_begin(struct gput__series *s, const struct gput__series_plan *plan)
{
    for (int m = 0; m < GPUT__N_METRICS; m++)
        if (gput__metric_set_has(&plan->metrics, (enum gput__metric)m))
            s->metric[s->n_metrics++] = (uint8_t)m;
    s->n_columns = s->n_metrics + 2 * plan->n_gpus;
    s->cap = s->room = plan->cap;
}

int gput__series_check(const struct gput__series *s, size_t size)
{
    if (size < sizeof(*s) || s->cap < 4 || s->cap > LARGEST_CAP || s->cap % 4 || s->room > s->cap ||
        s->room % 4 || s->n_metrics > GPUT__N_METRICS || s->n_columns < s->n_metrics ||
        s->n_columns > s->n_metrics + 2 * GPUT__MOST_GPUS ||
        s->n_gpus > (s->n_columns - s->n_metrics) / 2)
        return -EPROTO;
    if ((size - sizeof(*s)) / sizeof(s->cells[0]) <
        (size_t)(GPUT__SERIES_FIRST + s->n_columns) * s->cap)
        return -EPROTO;
    for (uint32_t i = 0; i < s->n_metrics; i++)
        if (s->metric[i] >= GPUT__N_METRICS)
            return -EPROTO;
    return 0;
}

int gput__series_find(const struct gput__series *s, enum gput__metric m)
{
    for (uint32_t i = 0; i < s->n_metrics; i++)
        if (s->metric[i] == m)
            return (int)(GPUT__SERIES_FIRST + i);
    return -1;
}

/* --- thinning ------------------------------------------------------------------------------- */

static double *column(struct gput__series *s, uint32_t i)
{
    return s->cells + (size_t)i * s->cap;
}

/* The lowest and the highest of four, in the order in which they came. */
static void keep_extremes(const double from[4], double to[2])
{
    int low = -1, high = -1;

    for (int i = 0; i < 4; i++) {
        if (isnan(from[i]))
            continue;
        if (low < 0 || from[i] < from[low])
            low = i;
        if (high < 0 || from[i] > from[high])
            high = i;
    }
    to[0] = low < 0 ? NAN : from[low < high ? low : high];
    to[1] = low < 0 ? NAN : from[low < high ? high : low];
}

static double sum_of(double a, double b)
{
    return isnan(a) ? b : isnan(b) ? a : a + b;
}

enum thinning { EXTREMES, SUM, LAST };

static void thin_column(double *cells, uint64_t n, enum thinning how)
{
    for (uint64_t i = 0; i + 4 <= n; i += 4) {
        double four[4], two[2];

        memcpy(four, cells + i, sizeof(four));
        if (how == EXTREMES) {
            keep_extremes(four, two);
        } else {
            two[0] = how == SUM ? sum_of(four[0], four[1]) : four[1];
            two[1] = how == SUM ? sum_of(four[2], four[3]) : four[3];
        }
        memcpy(cells + i / 2, two, sizeof(two));
    }
}

static void thin(struct gput__series *s)
{
    uint64_t n = atomic_load_explicit(&s->n, memory_order_relaxed);

    atomic_fetch_add_explicit(&s->epoch, 1, memory_order_acq_rel);
    thin_column(column(s, GPUT__SERIES_TIME), n, LAST);
    thin_column(column(s, GPUT__SERIES_SECONDS), n, SUM);
    for (uint32_t i = 0; i < s->n_metrics + 2 * s->n_gpus; i++)
        thin_column(column(s, GPUT__SERIES_FIRST + i), n,
                    i < s->n_metrics && is_gain((enum gput__metric)s->metric[i]) ? SUM : EXTREMES);
    atomic_store_explicit(&s->n, n / 2, memory_order_release);
    atomic_fetch_add_explicit(&s->epoch, 1, memory_order_acq_rel);
}

/* --- rows ----------------------------------------------------------------------------------- */

static void count(struct gput__series_total *t, double value, double seconds, bool is_row)
{
    if (isnan(value))
        return;
    t->sum += value;
    t->weighted += value * seconds;
    t->seconds += seconds;
    if (!is_row)
        return;
    t->min = t->n == 0 || value < t->min ? value : t->min;
    t->max = t->n == 0 || value > t->max ? value : t->max;
    t->n++;
}

static void change_totals(struct gput__series *s, const struct gput__sample *before,
                          const struct gput__sample *now, bool is_row)
{
    double seconds = gput__seconds(now->boot_ns - before->boot_ns);

    atomic_fetch_add_explicit(&s->turn, 1, memory_order_acq_rel);
    s->seconds += seconds;
    for (uint32_t i = 0; i < s->n_metrics; i++) {
        enum gput__metric m = (enum gput__metric)s->metric[i];

        count(&s->totals[i], gput__sample_over(before, now, m), seconds, is_row);
    }
    atomic_fetch_add_explicit(&s->turn, 1, memory_order_acq_rel);
}

/* One that shows up late was not known before. */
static void add_gpus(struct gput__series *s, uint64_t row, const struct gput__series_gpus *gpus)
{
    uint32_t room = (s->n_columns - s->n_metrics) / 2;
    uint32_t n = !gpus ? 0 : gpus->n < room ? gpus->n : room;

    for (uint32_t i = 2 * s->n_gpus; i < 2 * n; i++)
        for (uint64_t k = 0; k < row; k++)
            column(s, GPUT__SERIES_FIRST + s->n_metrics + i)[k] = NAN;
    if (n > s->n_gpus)
        s->n_gpus = n;
    for (uint32_t i = 0; i < 2 * s->n_gpus; i++)
        column(s, GPUT__SERIES_FIRST + s->n_metrics + i)[row] =
            i < 2 * n ? gpus->value[i / 2][i % 2] : NAN;
}

void gput__series_add(struct gput__series *s, const struct gput__sample *before,
                      const struct gput__sample *now, const struct gput__series_gpus *gpus)
{
    uint64_t row;

    if (atomic_load_explicit(&s->n, memory_order_relaxed) >= s->room)
        thin(s);
    row = atomic_load_explicit(&s->n, memory_order_relaxed);
    column(s, GPUT__SERIES_TIME)[row] =
        (double)(now->real_ns / GPUT__NS_PER_S) + (double)(now->real_ns % GPUT__NS_PER_S) / 1e9;
    column(s, GPUT__SERIES_SECONDS)[row] = gput__seconds(now->boot_ns - before->boot_ns);
    for (uint32_t i = 0; i < s->n_metrics; i++)
        column(s, GPUT__SERIES_FIRST + i)[row] =
            gput__sample_over(before, now, (enum gput__metric)s->metric[i]);
    add_gpus(s, row, gpus);
    change_totals(s, before, now, true);
    atomic_store_explicit(&s->n, row + 1, memory_order_release);
    atomic_fetch_add_explicit(&s->n_total, 1, memory_order_release);
}

void gput__series_add_rest(struct gput__series *s, const struct gput__sample *before,
                           const struct gput__sample *now)
{
    change_totals(s, before, now, false);
}

bool gput__series_total(const struct gput__series *s, enum gput__metric m,
                        struct gput__series_total *ret, double *ret_seconds)
{
    int at = gput__series_find(s, m);

    if (at < 0)
        return false;
    /* The writer may have died in the middle: then the values stay as they are. */
    for (int i = 0; i < MOST_TRIES; i++) {
        uint64_t turn = atomic_load_explicit(&s->turn, memory_order_acquire);

        *ret = s->totals[at - GPUT__SERIES_FIRST];
        *ret_seconds = s->seconds;
        atomic_thread_fence(memory_order_acquire);
        if (!(turn & 1) && atomic_load_explicit(&s->turn, memory_order_relaxed) == turn)
            break;
    }
    return true;
}
