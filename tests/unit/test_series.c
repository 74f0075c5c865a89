/* test_series.c - rows over time in memory of fixed size. */
#include "summary/series.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "tap.h"

#define CAP 16

static struct gput__series_plan plan = {
    .n_gpus = 1,
    .cap = CAP,
};

static void choose_metrics(void)
{
    static const enum gput__metric chosen[] = { GPUT__JOB_PSS, GPUT__JOB_CPU, GPUT__JOB_USER_CPU,
                                                GPUT__NET_SENT };

    for (size_t i = 0; i < sizeof(chosen) / sizeof(*chosen); i++)
        gput__metric_set_add(&plan.metrics, chosen[i]);
}

static struct gput__series *new_series(void)
{
    struct gput__series *s = calloc(1, gput__series_size(&plan));

    if (s)
        gput__series_begin(s, &plan);
    return s;
}

/* At second i: CPU in use as given, PSS as given, 1000 bytes sent each second. */
static struct gput__sample at(int i, double pss, double cpu_seconds)
{
    struct gput__sample s = { .boot_ns = i * INT64_C(1000000000),
                              .real_ns = (1000 + i) * INT64_C(1000000000) + 500000000 };

    gput__sample_set(&s, GPUT__JOB_PSS, pss);
    gput__sample_set(&s, GPUT__JOB_CPU, cpu_seconds);
    gput__sample_set(&s, GPUT__JOB_USER_CPU, cpu_seconds / 2);
    gput__sample_set(&s, GPUT__NET_SENT, 1000.0 * i);
    return s;
}

static const double *column(const struct gput__series *s, enum gput__metric m)
{
    return gput__series_column(s, (uint32_t)gput__series_find(s, m));
}

static void a_row(void)
{
    struct gput__series *s = new_series();
    struct gput__sample a = at(0, 5, 0), b = at(1, 7, 0.25);
    const double gpu[1][2] = { { 33, 4096 } };
    struct gput__series_gpus gpus = { gpu, 1 };

    gput__series_add(s, &a, &b, &gpus);
    OK(s->n == 1 && s->n_total == 1, "a row was made");
    OK(gput__series_column(s, GPUT__SERIES_TIME)[0] == 1001.5 &&
           gput__series_column(s, GPUT__SERIES_SECONDS)[0] == 1,
       "it tells when it ended and how long it was");
    OK(column(s, GPUT__JOB_PSS)[0] == 7, "a level is the last one");
    OK(fabs(column(s, GPUT__JOB_CPU)[0] - 25) < 1e-9, "CPU is a rate in percent");
    OK(column(s, GPUT__JOB_USER_CPU)[0] == 0.125 && column(s, GPUT__NET_SENT)[0] == 1000,
       "other counters are what they gained");
    OK(gput__series_column(s, GPUT__SERIES_FIRST + 4)[0] == 33 &&
           gput__series_column(s, GPUT__SERIES_FIRST + 5)[0] == 4096,
       "each GPU has two columns");
    OK(gput__series_find(s, GPUT__DISK_READ) == -1, "what was not asked for has none");
    b.known = (struct gput__metric_set){ { 0 } };
    gput__sample_set(&b, GPUT__JOB_PSS, 7);
    gput__series_add(s, &a, &b, NULL);
    OK(isnan(column(s, GPUT__NET_SENT)[1]) &&
           isnan(gput__series_column(s, GPUT__SERIES_FIRST + 4)[1]),
       "what is not known is not zero");
    free(s);
    s = new_series();
    gput__series_add(s, &a, &b, NULL);
    gput__series_add(s, &a, &b, &gpus);
    OK(s->n_gpus == 1 && isnan(gput__series_column(s, GPUT__SERIES_FIRST + 4)[0]) &&
           gput__series_column(s, GPUT__SERIES_FIRST + 4)[1] == 33,
       "a GPU that shows up late was not known before");
    free(s);
}

/* A spike of one row, and a valley of another. */
static void thinning(void)
{
    struct gput__series *s = new_series();
    struct gput__sample before = at(0, 50, 0);
    struct gput__series_total t;
    double highest = 0, lowest = 1e9, sent = 0, user = 0, seconds, all;
    double cpu = 0;
    bool rises = true;

    for (int i = 1; i <= 1000; i++) {
        struct gput__sample now;

        cpu += i == 500 ? 1 : 0.5;
        now = at(i, i == 333 ? 999 : i == 777 ? 1 : 50, cpu);
        gput__series_add(s, &before, &now, NULL);
        before = now;
    }
    OK(s->n <= CAP && s->n >= CAP / 2 && s->n_total == 1000, "1000 rows are in the room for %d",
       CAP);
    for (uint64_t i = 0; i < s->n; i++) {
        double pss = column(s, GPUT__JOB_PSS)[i];

        highest = pss > highest ? pss : highest;
        lowest = pss < lowest ? pss : lowest;
        sent += column(s, GPUT__NET_SENT)[i];
        user += column(s, GPUT__JOB_USER_CPU)[i];
        rises &= i == 0 || gput__series_column(s, GPUT__SERIES_TIME)[i] >
                               gput__series_column(s, GPUT__SERIES_TIME)[i - 1];
    }
    OK(highest == 999 && lowest == 1, "the highest and the lowest level are still there");
    OK(sent == 1000.0 * 1000 && fabs(user - cpu / 2) < 1e-9, "and the whole of what was counted");
    OK(rises && gput__series_column(s, GPUT__SERIES_TIME)[s->n - 1] == 2000.5,
       "the time rises to the last row");
    all = 0;
    for (uint64_t i = 0; i < s->n; i++)
        all += gput__series_column(s, GPUT__SERIES_SECONDS)[i];
    OK(all == 1000, "the intervals cover all of it");
    OK(gput__series_total(s, GPUT__JOB_PSS, &t, &seconds) && t.n == 1000 && t.max == 999 &&
           t.min == 1 && seconds == 1000,
       "the totals are of all rows");
    OK(fabs(t.weighted / t.seconds - (998 * 50.0 + 999 + 1) / 1000) < 1e-9, "the mean too");
    OK(gput__series_total(s, GPUT__JOB_CPU, &t, &seconds) && fabs(t.max - 100) < 1e-6 &&
           fabs(t.weighted / t.seconds - 100 * cpu / 1000) < 1e-9,
       "a rate has its highest and its mean");
    OK(s->epoch > 0 && s->epoch % 2 == 0, "whoever reads can see that rows were thinned");
    free(s);
}

static void the_rest(void)
{
    struct gput__series *s = new_series();
    struct gput__sample a = at(0, 5, 0), b = at(2, 7, 1), c = at(3, 900, 2);
    struct gput__series_total t;
    double seconds;

    gput__series_add(s, &a, &b, NULL);
    gput__series_add_rest(s, &b, &c);
    OK(s->n == 1 && gput__series_total(s, GPUT__NET_SENT, &t, &seconds) && t.sum == 3000 &&
           t.max == 2000 && t.n == 1 && seconds == 3,
       "a short rest is in the sums and is no row");
    OK(!gput__series_total(s, GPUT__DISK_READ, &t, &seconds), "what is not kept has no totals");
    free(s);
}

static void little_room(void)
{
    struct gput__series *s = new_series();
    struct gput__sample before = at(0, 50, 0);

    s->room = 4;
    for (int i = 1; i <= 100; i++) {
        struct gput__sample now = at(i, i, 0);

        gput__series_add(s, &before, &now, NULL);
        before = now;
    }
    OK(s->n <= 4 && s->n_total == 100, "where memory is short fewer rows do");
    OK(column(s, GPUT__JOB_PSS)[s->n - 1] == 100, "and the last is the last");
    free(s);
}

/* Of memory that another process has written. */
static void what_is_no_series(void)
{
    size_t size = gput__series_size(&plan);
    struct gput__series *s = new_series(), good;
    struct {
        uint32_t *field, value;
        const char *what;
    } faults[] = {
        { &s->cap, 0, "no room" },
        { &s->cap, 7, "room that is no multiple of four" },
        { &s->cap, 1u << 31, "more room than can be" },
        { &s->cap, 2 * CAP, "more room than there is memory" },
        { &s->room, 6, "a part of four rows" },
        { &s->room, CAP + 4, "more to be used than there is" },
        { &s->n_metrics, GPUT__N_METRICS + 1, "metrics that nobody knows" },
        { &s->n_columns, 0, "fewer columns than metrics" },
        { &s->n_columns, 1u << 20, "more columns than there can be" },
    };

    good = *s;
    OK(gput__series_check(s, size) == 0 && gput__series_check(s, size - 1) == -EPROTO &&
           gput__series_check(s, 8) == -EPROTO,
       "a series is one, unless its memory is cut");
    for (size_t i = 0; i < sizeof(faults) / sizeof(*faults); i++) {
        uint32_t before = *faults[i].field;

        *faults[i].field = faults[i].value;
        OK(gput__series_check(s, size) == -EPROTO, "%s", faults[i].what);
        *faults[i].field = before;
    }
    s->n_gpus = 100;
    OK(gput__series_check(s, size) == -EPROTO, "more GPUs than there are columns for");
    s->n_gpus = good.n_gpus;
    s->metric[0] = GPUT__N_METRICS;
    OK(gput__series_check(s, size) == -EPROTO, "a metric that nobody knows");
    s->metric[0] = good.metric[0];
    OK(gput__series_check(s, size) == 0, "and it is one again");
    free(s);
}

int main(void)
{
    choose_metrics();
    a_row();
    thinning();
    the_rest();
    little_room();
    what_is_no_series();
    return DONE();
}
