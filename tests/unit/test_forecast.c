/* test_forecast.c - the growth of a job's memory, and when it reaches a limit. */
#include "summary/forecast.h"

#include <math.h>
#include <stdlib.h>

#include "tap.h"

static const double mb = 1e6, limit = 1e9;

/* The memory of a made-up job, bytes after so many seconds. */
typedef double job(double s);

struct seen {
    double worst;    /* share by which the time to the limit was off, at worst */
    int n_forecasts; /* moments at which there was one */
    double first_s;  /* when there first was one */
};

/* The time to the limit each second of `until`, from `from` on; polls are `spacing` apart. */
static struct seen follow(job *of, double spacing, double from, double until, double rate)
{
    struct gput__forecast f;
    struct seen seen = { .first_s = -1 };

    gput__forecast_begin(&f);
    for (int i = 0; i * spacing <= until; i++) {
        double s = i * spacing, held = of(s), grows, left, truth;

        gput__forecast_add(&f, 5000000000 + (int64_t)(s * 1e9), held);
        grows = gput__forecast_growth(&f);
        if (grows <= 0 || s < from)
            continue;
        if (seen.first_s < 0)
            seen.first_s = s;
        seen.n_forecasts++;
        left = (limit - held) / grows;
        truth = (limit - held) / rate;
        if (fabs(left / truth - 1) > seen.worst)
            seen.worst = fabs(left / truth - 1);
    }
    return seen;
}

static double steady(double s)
{
    return 8 * mb + 20 * mb * s;
}

/* An interpreter takes its first 30 MB within a moment. */
static double after_a_start(double s)
{
    return (s < 0.15 ? 1 : 30) * mb + 20 * mb * s;
}

static double in_steps(double s)
{
    return 8 * mb + 10 * mb * floor(s * 2);
}

/* Buffers come and go: 3 MB, by a rule that looks like none. */
static double with_noise(double s)
{
    return steady(s) + 3 * mb * (0.5 + 0.5 * sin(s * 71));
}

static void growth_is_forecast(void)
{
    static const struct {
        const char *name;
        job *of;
        double spacing, from;
    } cases[] = {
        { "steadily, polls 10 ms apart", steady, 0.01, 3 },
        { "steadily, polls 0.1 s apart", steady, 0.1, 3 },
        { "steadily, one record a second", steady, 1, 3 },
        { "after a start", after_a_start, 0.02, 3 },
        { "after a start, one record a second", after_a_start, 1, 4 },
        { "in steps", in_steps, 0.02, 3 },
        { "with noise", with_noise, 0.013, 3 },
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct seen seen = follow(cases[i].of, cases[i].spacing, cases[i].from, 45, 20 * mb);

        OK(seen.first_s < cases[i].from + 0.02 && seen.worst < 0.1 &&
               seen.n_forecasts >= (45 - cases[i].from) / cases[i].spacing * 0.999,
           "20 MB/s towards 1 GB, %s: from second %.2f on, off by %.1f %% at most", cases[i].name,
           seen.first_s, seen.worst * 100);
    }
}

static double saw(double s)
{
    return 50 * mb + 60 * mb * fmod(s, 4);
}

/* No two teeth are alike. */
static double odd_saw(double s)
{
    double tooth = floor(s / 3);

    return 50 * mb + (100 + 20 * sin(tooth * 7)) * mb * fmod(s, 3);
}

static double slow_saw(double s)
{
    return 50 * mb + 8 * mb * fmod(s, 90);
}

static void a_sawtooth_is_not_doomed(void)
{
    static const struct {
        const char *name;
        job *of;
        double tooth;
    } cases[] = { { "4 s", saw, 4 },
                  { "3 s, no two alike", odd_saw, 3 },
                  { "90 s", slow_saw, 90 } };

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
        for (double spacing = 0.05; spacing < 2; spacing += 0.95) {
            struct seen seen =
                follow(cases[i].of, spacing, cases[i].tooth + 1, 20 * cases[i].tooth, mb);

            OK(seen.n_forecasts == 0,
               "teeth of %s, polls %.2f s apart: %d forecasts after the first", cases[i].name,
               spacing, seen.n_forecasts);
        }
}

static double level(double s)
{
    return 300 * mb + 0.4 * mb * sin(s * 13);
}

/* Data is loaded in ten seconds, and that was it. */
static double loads(double s)
{
    return 50 * mb + 40 * mb * (s < 10 ? s : 10);
}

/* 0.2 MB/s are no growth within seconds. */
static double leaks(double s)
{
    return 200 * mb + 0.2 * mb * s;
}

/* Loaded, freed, and minutes later it grows for good. */
static double second_phase(double s)
{
    return s < 20 ? 50 * mb + 20 * mb * s : s < 200 ? 60 * mb : 60 * mb + 5 * mb * (s - 200);
}

static void only_present_growth_counts(void)
{
    struct seen seen = follow(level, 0.05, 0, 300, mb);

    OK(seen.n_forecasts == 0, "a level with noise is not forecast");
    seen = follow(loads, 0.05, 10, 300, 40 * mb);
    OK(seen.n_forecasts > 0 && seen.n_forecasts <= 4.2 / 0.05,
       "growth that has ended is none four seconds later: %d", seen.n_forecasts);
    seen = follow(leaks, 0.5, 60, 600, 0.2 * mb);
    OK(seen.first_s == 60 && seen.worst < 0.02, "a slow leak is seen over minutes: off by %.2f %%",
       seen.worst * 100);
    seen = follow(second_phase, 0.1, 21, 199, 5 * mb);
    OK(seen.n_forecasts == 0, "what was freed is no growth");
    seen = follow(second_phase, 0.1, 204, 350, 5 * mb);
    OK(seen.first_s >= 204 && seen.first_s < 206 && seen.worst < 0.1,
       "growth long after a fall is: from second %.1f, off by %.1f %%", seen.first_s,
       seen.worst * 100);
}

static void it_is_never_too_early(void)
{
    struct seen seen = follow(steady, 0.01, 0, 1.5, 20 * mb);

    OK(seen.n_forecasts == 0, "the first second tells nothing");
}

int main(void)
{
    growth_is_forecast();
    a_sawtooth_is_not_doomed();
    only_present_growth_counts();
    it_is_never_too_early();
    return DONE();
}
