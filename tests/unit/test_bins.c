/* test_bins.c - series of any length in few columns. */
#include "report/plot/bins.h"

#include <math.h>
#include <stdlib.h>

#include "tap.h"

enum { MOST = 2000 };

/* Moments 1, 2, 3 ... of a run that began at 0. */
static struct gput__bins_axis even(double *times, size_t n, int n_columns)
{
    for (size_t i = 0; i < n; i++)
        times[i] = (double)(i + 1);
    return gput__bins_axis(times, n, 0, (double)n, n_columns);
}

static void a_peak_is_seen_at_any_width(void)
{
    static double times[MOST], values[MOST];
    int lost = 0, elsewhere = 0, wide = 0;

    for (int n_columns = 1; n_columns <= 300; n_columns += 13) {
        for (size_t at = 0; at < MOST; at += 97) {
            struct gput__bins_axis axis = even(times, MOST, n_columns);
            struct gput__bins b;
            int n_high = 0;

            for (size_t i = 0; i < MOST; i++)
                values[i] = i == at ? 50 : 1;
            if (gput__bins_make(&b, &axis, times, values, MOST, at % 2) < 0)
                abort();
            for (int c = 0; c < n_columns; c++)
                n_high += b.columns[c].max == 50;
            lost += n_high == 0;
            wide += n_high > 1;
            elsewhere += b.columns[b.max_column].max != 50 || b.max_time != times[at];
            gput__bins_free(&b);
        }
    }
    OK(lost == 0, "one record of %d stays the largest of a column", MOST);
    OK(wide == 0, "and of one alone");
    OK(elsewhere == 0, "its column and its time are told");
}

static void few_values_fill_many_columns(void)
{
    double times[4], values[] = { 1, 2, NAN, 4 };
    struct gput__bins_axis axis = even(times, 4, 40);
    struct gput__bins b;
    int wrong = 0;

    if (gput__bins_make(&b, &axis, times, values, 4, true) < 0)
        abort();
    for (int c = 0; c < 40; c++) {
        double want = values[c / 10];

        wrong += isnan(want) ? !isnan(b.columns[c].max)
                             : b.columns[c].max != want || b.columns[c].mean != want;
    }
    OK(wrong == 0, "a rate holds from the moment before to its own; the unknown is blank");
    OK(b.n_known == 3 && b.min == 1 && b.max == 4, "the unknown counts for nothing");
    OK(fabs(b.mean - 7.0 / 3) < 1e-9, "and has no part in the mean, %g", b.mean);
    gput__bins_free(&b);
}

static void the_last_rate_counts_for_its_own_time(void)
{
    double times[] = { 1, 2 }, values[] = { 1, 3 };
    struct gput__bins_axis axis = gput__bins_axis(times, 2, 0, 4, 40);
    struct gput__bins b;

    if (gput__bins_make(&b, &axis, times, values, 2, true) < 0)
        abort();
    OK(b.columns[39].max == 3, "what came behind the last record is drawn like it");
    OK(fabs(b.mean - 2) < 1e-9, "but is not in the mean, %g", b.mean);
    gput__bins_free(&b);
}

static void levels_hold_around_their_moments(void)
{
    double times[3], values[] = { 10, 20, 30 };
    struct gput__bins_axis axis = even(times, 3, 6);
    struct gput__bins b;

    if (gput__bins_make(&b, &axis, times, values, 3, false) < 0)
        abort();
    OK(b.columns[0].max == 10 && b.columns[2].max == 10 && b.columns[3].max == 20 &&
           b.columns[5].max == 30,
       "a level holds half the way to its neighbours, the first from the start on");
    gput__bins_free(&b);
}

static void a_pause_is_unknown_to_levels_alone(void)
{
    static double times[200], values[200];
    struct gput__bins_axis axis;
    struct gput__bins level, rate;
    int blank_levels = 0, blank_rates = 0;

    for (size_t i = 0; i < 200; i++) {
        times[i] = (double)(i + 1) + (i >= 100 ? 300 : 0);
        values[i] = 1;
    }
    axis = gput__bins_axis(times, 200, 0, 500, 50);
    if (gput__bins_make(&level, &axis, times, values, 200, false) < 0 ||
        gput__bins_make(&rate, &axis, times, values, 200, true) < 0)
        abort();
    for (int c = 0; c < 50; c++) {
        blank_levels += isnan(level.columns[c].max);
        blank_rates += isnan(rate.columns[c].max);
    }
    OK(blank_levels >= 28 && blank_levels <= 30, "300 of 500 seconds without a record: %d of 50",
       blank_levels);
    OK(blank_rates == 0, "a counter tells of the pause too");
    gput__bins_free(&level);
    gput__bins_free(&rate);
}

static void columns_tell_noise_from_plateaus(void)
{
    static double times[1000], values[1000];
    struct gput__bins_axis axis = even(times, 1000, 10);
    struct gput__bins b;

    for (size_t i = 0; i < 1000; i++)
        values[i] = i % 2 ? 100 : 0;
    if (gput__bins_make(&b, &axis, times, values, 1000, true) < 0)
        abort();
    OK(b.columns[4].min == 0 && b.columns[4].max == 100, "least and largest of a column");
    OK(fabs(b.columns[4].mean - 50) < 1 && fabs(b.mean - 50) < 1, "and its mean");
    gput__bins_free(&b);
}

static void odd_runs(void)
{
    double one = 5, value = 7, none[2] = { NAN, INFINITY }, times[2] = { 1, 2 };
    struct gput__bins_axis axis = gput__bins_axis(&one, 1, NAN, NAN, 8);
    struct gput__bins b;

    OK(axis.start == 5 && axis.span == 0, "one moment is all there is");
    if (gput__bins_make(&b, &axis, &one, &value, 1, false) < 0)
        abort();
    OK(b.columns[0].max == 7 && b.columns[7].max == 7 && b.mean == 7, "it fills all columns");
    gput__bins_free(&b);

    axis = gput__bins_axis(times, 2, 0, 2, 8);
    if (gput__bins_make(&b, &axis, times, none, 2, false) < 0)
        abort();
    OK(b.n_known == 0 && isnan(b.columns[3].max), "nothing known: all blank");
    gput__bins_free(&b);

    axis = gput__bins_axis(NULL, 0, NAN, NAN, 8);
    if (gput__bins_make(&b, &axis, NULL, NULL, 0, true) < 0)
        abort();
    OK(b.n_known == 0 && axis.span == 0, "no records at all");
    gput__bins_free(&b);

    axis = gput__bins_axis(times, 2, 1.5, 1.8, 8);
    OK(axis.start == 1 && axis.span == 1, "records outside of start and end count");
}

int main(void)
{
    a_peak_is_seen_at_any_width();
    few_values_fill_many_columns();
    the_last_rate_counts_for_its_own_time();
    levels_hold_around_their_moments();
    a_pause_is_unknown_to_levels_alone();
    columns_tell_noise_from_plateaus();
    odd_runs();
    return DONE();
}
