/* test_run_comparison.c - runs side by side: medians, noise, conditions, and how it is said. */
#include "analysis/run_comparison.h"

#include <errno.h>
#include <string.h>

#include "base/buf.h"
#include "model/quantity.h"
#include "report/run_comparison.h"
#include "run_fixture.h"
#include "tap.h"

static void spreads(void)
{
    const double five[] = { 5, 1, NAN, 3, 2, 4 }, odd[] = { 10, 11, 9, 10, 50 }, one[] = { 7 };
    struct gput__spread s, other;

    gput__spread_of(five, 6, &s);
    OK(s.n == 5 && s.median == 3 && s.low == 1 && s.high == 5, "what is not known is left out");
    OK(fabs(s.deviation - 1.4826 * 1.206) < 1e-9, "the deviation follows from the MAD, which is 1");
    gput__spread_of(odd, 5, &s);
    OK(s.median == 10 && gput__spread_is_outlier(&s, 50, 0) && !gput__spread_is_outlier(&s, 11, 0),
       "one odd run moves nothing and is an outlier");
    OK(!gput__spread_is_outlier(&s, 50, 100), "unless its distance is too small to speak of");
    gput__spread_of(one, 1, &other);
    OK(other.median == 7 && isnan(other.deviation), "one run has no spread");
    OK(isnan(gput__spread_noise(&other, &other)), "and two such have no noise to tell");
    OK(gput__spread_noise(&s, &other) > gput__spread_noise(&s, &s),
       "one run beside several has the more noise");
    gput__spread_of(NULL, 0, &other);
    OK(other.n == 0 && isnan(other.median) && isnan(gput__spread_noise(&s, &other)), "nothing");
}

/* A normal deviate, from a generator whose numbers are the same each time. */
static double deviate(unsigned *state)
{
    double sum = 0;

    for (int i = 0; i < 12; i++) {
        *state = *state * 1664525u + 1013904223u;
        sum += (double)(*state >> 8) / (1 << 24);
    }
    return sum - 6;
}

static void chance(void)
{
    unsigned state = 7;
    int equal = 0, different = 0;

    for (int i = 0; i < 2000; i++) {
        struct gput__spread a, b, c;
        double x[5], y[5], z[5];

        for (int k = 0; k < 5; k++) {
            x[k] = 100 + 2 * deviate(&state);
            y[k] = 100 + 2 * deviate(&state);
            z[k] = 110 + 2 * deviate(&state);
        }
        gput__spread_of(x, 5, &a);
        gput__spread_of(y, 5, &b);
        gput__spread_of(z, 5, &c);
        equal += fabs(a.median - b.median) > gput__spread_noise(&a, &b);
        different += fabs(a.median - c.median) > gput__spread_noise(&a, &c);
    }
    OK(equal < 60, "of 2000 pairs of equal groups %d differ by more than the noise alone", equal);
    OK(different > 1800, "of 2000 pairs 10 %% apart, with 2 %% of noise, %d are found", different);
}

static void quantities(void)
{
    static const struct {
        const char *text;
        enum gput__figure_unit unit;
        double value;
    } good[] = {
        { "4GB", GPUT__IN_BYTES, 4e9 },     { "1.5 GiB", GPUT__IN_BYTES, 1610612736 },
        { "100", GPUT__IN_BYTES, 100 },     { "300s", GPUT__IN_SECONDS, 300 },
        { "10min", GPUT__IN_SECONDS, 600 }, { "250ms", GPUT__IN_SECONDS, 0.25 },
        { "5kJ", GPUT__IN_JOULES, 5000 },   { "1Wh", GPUT__IN_JOULES, 3600 },
        { "50%", GPUT__IN_PERCENT, 50 },    { "8", GPUT__IN_NUMBERS, 8 },
        { "1e3", GPUT__IN_NUMBERS, 1000 },  { "2TiB", GPUT__IN_BYTES, 2199023255552 },
    };
    static const char *const bad[] = { "",     "GB",  "4XB", "-1",  "+1",
                                       "4GBs", "1 2", "nan", "inf", "0x10" };
    double value = 99;
    bool all = true, none = true;

    for (size_t i = 0; i < sizeof(good) / sizeof(*good); i++)
        all &=
            gput__quantity_parse(good[i].text, good[i].unit, &value) == 0 && value == good[i].value;
    OK(all, "amounts with units of 1000 and of 1024, of time, energy and percent");
    value = 99;
    for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
        none &= gput__quantity_parse(bad[i], GPUT__IN_BYTES, &value) == -EINVAL && value == 99;
    OK(none, "what is no amount is refused");
    OK(gput__quantity_parse("5GB", GPUT__IN_SECONDS, &value) == -EINVAL, "so is another's unit");
}

static void conditions(void)
{
    static const char *const bad[] = { "ram",    ">5%",   "rams>5", "ram>",      "ram>+5%%",
                                       "ram>5%", "ram=5", "ram>4s", "max_ram>1", "" };
    struct gput__condition c;
    struct gput_error err;
    bool none = true;

    OK(gput__condition_parse("ram>+5%", &c, &err) == 0 && c.is_change && c.is_percent &&
           c.amount == 5 && !c.is_less,
       "more than 5 %% more");
    OK(gput__condition_holds(&c, 100, 106, NAN) && !gput__condition_holds(&c, 100, 105, NAN) &&
           !gput__condition_holds(&c, 100, 90, NAN),
       "it holds above that");
    OK(!gput__condition_holds(&c, 100, 106, 7), "unless the runs vary by more");
    OK(gput__condition_holds(&c, 0, 1, NAN) && !gput__condition_holds(&c, 0, 0, NAN),
       "where there was nothing anything is more");
    OK(gput__condition_parse(" gpu_util < -10%", &c, &err) == -EINVAL &&
           gput__condition_parse("gpu_util < -10%", &c, &err) == 0 && c.is_less && c.is_change &&
           !c.is_percent && gput__condition_holds(&c, 80, 60, NAN) &&
           !gput__condition_holds(&c, 80, 72, NAN),
       "points of a percentage");
    OK(gput__condition_parse("cpu>5min", &c, &err) == 0 && !c.is_change &&
           gput__condition_holds(&c, 1, 301, 1e9) && !gput__condition_holds(&c, 1, 299, NAN),
       "an amount without a sign is one of the new runs");
    OK(gput__condition_parse("cpu_utilization.combined.max_sum_percent>+50", &c, &err) == 0 &&
           c.unit == GPUT__IN_PERCENT,
       "a figure by its path");
    for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
        none &= gput__condition_parse(bad[i], &c, &err) == -EINVAL && err.text[0];
    OK(none, "what is no condition is refused, with a reason");
}

/* Adds a run that peaked at so many bytes and used so many seconds of CPU time. */
static int add(struct gput__run_comparison *c, const char *group, double ram, double cpu)
{
    struct gput__run run = a_run();

    run.usage.max_ram.combined.total_rss = exact(ram);
    run.usage.totals.main_cpu_seconds = exact(cpu);
    run.usage.totals.descendants_cpu_seconds = exact(0);
    return gput__run_comparison_add(c, group, "run.json", &run.usage);
}

static void groups(void)
{
    struct gput__run_comparison c;
    struct gput__difference ram, cpu, time, energy;
    struct gput_error err;
    int r = 0;

    gput__run_comparison_begin(&c);
    r |= gput__run_comparison_condition(&c, "ram>+5%", &err);
    r |= gput__run_comparison_condition(&c, "energy>+5%", &err);
    r |= gput__run_comparison_condition(&c, "max_ram.combined.total_rss>+200MB", &err);
    for (int i = 0; i < 5; i++) {
        r |= add(&c, "base", 1e9 + i * 1e6, 10 + 0.1 * i);
        r |= add(&c, "new", 1.1e9 + i * 1e6, 10.05 + 0.1 * i);
    }
    OK(r == 0 && c.n_groups == 2 && c.groups[0].n == 5 && c.groups[1].n == 5, "two groups of five");
    gput__run_difference(&c, 1, GPUT__NAMED_RAM, &ram);
    gput__run_difference(&c, 1, GPUT__NAMED_CPU_TIME, &cpu);
    gput__run_difference(&c, 1, GPUT__NAMED_WALL_TIME, &time);
    gput__run_difference(&c, 1, GPUT__NAMED_ENERGY, &energy);
    OK(ram.verdict == GPUT__WORSE && ram.change == 1e8, "10 %% more memory is worse");
    OK(cpu.verdict == GPUT__SAME, "half a percent more CPU time is the same");
    OK(time.verdict == GPUT__NOT_JUDGED && !isnan(time.change), "wall time is not judged");
    OK(energy.verdict == GPUT__NOT_JUDGED && isnan(energy.change), "nor is what is not known");
    OK(gput__run_comparison_fails(&c, 1, 0) && !gput__run_comparison_fails(&c, 1, 2),
       "a condition holds, another one does not");
    OK(gput__run_comparison_fails(&c, 1, 1), "of what is not known nobody can say that it is well");
    gput__run_comparison_free(&c);
}

/* One run each: equal ones, and those that differ. */
static void single_runs(void)
{
    const double by[] = { 0, 0.03, 0.10, 0.50, -0.10 };
    const enum gput__verdict said[] = { GPUT__SAME, GPUT__SAME, GPUT__WORSE, GPUT__WORSE,
                                        GPUT__BETTER };
    bool all = true;

    for (size_t i = 0; i < sizeof(by) / sizeof(*by); i++) {
        struct gput__run_comparison c;
        struct gput__difference d;

        gput__run_comparison_begin(&c);
        all &= add(&c, "a", 1e9, 10) == 0 && add(&c, "b", 1e9 * (1 + by[i]), 10) == 0;
        gput__run_difference(&c, 1, GPUT__NAMED_RAM, &d);
        all &= d.verdict == said[i];
        gput__run_comparison_free(&c);
    }
    OK(all, "of one run each the stated tolerance decides: 3 %% is the same, 10 and 50 %% are not");
}

static void count(void *ctx, const char *figure, const char *why)
{
    *(int *)ctx += figure && why && *why;
}

static void words(void)
{
    struct gput__run_comparison c;
    struct gput__buf text = GPUT__BUF_INIT, markdown = GPUT__BUF_INIT, json = GPUT__BUF_INIT;
    struct gput_error err;
    int unknown = 0;

    gput__run_comparison_begin(&c);
    OK(gput__run_comparison_condition(&c, "ram>+5%", &err) == 0 && add(&c, "a|b", 1e9, 10) == 0 &&
           add(&c, "new\x1b", 1.1e9, 8) == 0,
       "two runs");
    gput__run_comparison_text(&c, &text);
    gput__run_comparison_markdown(&c, &markdown);
    gput__run_comparison_json(&c, &json);
    OK(strstr(text.data, "Peak memory") && strstr(text.data, "+10.0 %") &&
           strstr(text.data, "worse") && strstr(text.data, "FAILED ram>+5%"),
       "the text has figure, change, verdict and condition");
    OK(strstr(text.data, "1 figure is worse, 1 is better"), "and their sum");
    OK(!strchr(text.data, '\x1b'), "names steer no terminal");
    OK(strstr(markdown.data, "| Peak memory | 1.00 GB | 1.10 GB | +10.0 % | 5.0 % | **worse** |") &&
           strstr(markdown.data, "a\\|b"),
       "Markdown is a table, names and all");
    OK(strstr(json.data, "\"verdict\": \"worse\"") && strstr(json.data, "\"failed\": true"),
       "JSON says the same");
    gput__compared_unknown(&c, count, &unknown);
    OK(unknown > 0, "figures that no run tells are named with the reason");
    gput__buf_free(&text);
    gput__buf_free(&markdown);
    gput__buf_free(&json);
    gput__run_comparison_free(&c);
}

int main(void)
{
    spreads();
    chance();
    quantities();
    conditions();
    groups();
    single_runs();
    words();
    return DONE();
}
