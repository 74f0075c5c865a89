/* test_summary.c - samples in, maxima and means out. */
#include "summary/summary.h"

#include "tap.h"

#define S INT64_C(1000000000)

static struct gput__sample at(double seconds, double cpu, double ram)
{
    struct gput__sample s = { .boot_ns = (int64_t)(seconds * 1e9) };

    gput__sample_set(&s, GPUT__MAIN_CPU, cpu);
    gput__sample_set(&s, GPUT__MAIN_RAM, ram);
    return s;
}

static void begin(struct gput__summary *s, double cpu)
{
    struct gput__sample first = at(10, cpu, 5);

    gput__summary_begin(s, S, 400, &first);
}

static void record(struct gput__summary *s, double seconds, double cpu, double ram)
{
    struct gput__sample sample = at(seconds, cpu, ram);

    gput__summary_record(s, &sample);
}

static void end(struct gput__summary *s, double seconds, double cpu, double ram)
{
    struct gput__sample sample = at(seconds, cpu, ram);

    gput__summary_end(s, &sample);
}

static int near(double a, double b)
{
    return a - b < 1e-9 && b - a < 1e-9;
}

static void gauges(void)
{
    struct gput__summary s;
    struct gput__sample poll = { 0 };

    begin(&s, 0);
    record(&s, 11, 1, 7);
    record(&s, 12, 2, 3);
    OK(s.max[GPUT__MAIN_RAM] == 7, "the largest of the records");
    gput__sample_set(&poll, GPUT__MAIN_RAM, 9);
    gput__sample_set(&poll, GPUT__MAIN_CPU, 1e9);
    gput__summary_poll(&s, &poll);
    OK(s.max[GPUT__MAIN_RAM] == 9, "of the polls");
    OK(s.max[GPUT__MAIN_CPU] <= 400, "whose counters are skipped");
    gput__summary_raise(&s, GPUT__MAIN_RAM, 12);
    gput__summary_raise(&s, GPUT__MAIN_RAM, 11);
    OK(s.max[GPUT__MAIN_RAM] == 12, "of the kernel's high-water marks");
    end(&s, 13, 3, 15);
    OK(s.max[GPUT__MAIN_RAM] == 15, "and of the end");
    OK(!gput__summary_has(&s, GPUT__MAIN_GPU_RAM) && gput__summary_has(&s, GPUT__MAIN_RAM),
       "what was never measured is not known");
    gput__summary_raise(&s, GPUT__MAIN_GPU_RAM, 0);
    OK(gput__summary_has(&s, GPUT__MAIN_GPU_RAM) && s.max[GPUT__MAIN_GPU_RAM] == 0,
       "0 is known when it was measured");
}

static void rates(void)
{
    struct gput__summary s;

    begin(&s, 2);
    record(&s, 11, 2.5, 0); /* 50 % */
    record(&s, 12, 4.5, 0); /* 200 % */
    record(&s, 16, 5.5, 0); /* 25 % over four seconds */
    end(&s, 17, 5.5, 0);
    OK(near(s.max[GPUT__MAIN_CPU], 200), "the largest rate of an interval");
    OK(near(gput__summary_mean(&s, GPUT__MAIN_CPU), 50), "the mean is by time, not by records");
    OK(s.n_records == 3, "three records");
}

static void a_short_last_interval(void)
{
    struct gput__summary s;

    begin(&s, 0);
    record(&s, 11, 0.5, 0);
    record(&s, 12, 1.0, 0);
    end(&s, 12.1, 1.2, 0); /* 200 % of a tenth of a second */
    OK(near(s.max[GPUT__MAIN_CPU], 100 * 0.7 / 1.1), "joins the one before: got %g",
       s.max[GPUT__MAIN_CPU]);
    begin(&s, 0);
    record(&s, 11, 0.5, 0);
    record(&s, 12, 2.0, 0);
    end(&s, 12.1, 2.0, 0);
    OK(near(s.max[GPUT__MAIN_CPU], 100 * 1.5 / 1.1), "whichever of both is larger");
    begin(&s, 0);
    record(&s, 11, 0.5, 0);
    end(&s, 11.1, 0.7, 0);
    OK(near(s.max[GPUT__MAIN_CPU], 100 * 0.7 / 1.1), "after one record too");
    begin(&s, 0);
    record(&s, 11, 0.5, 0);
    record(&s, 12, 1.0, 0);
    end(&s, 12.5, 2.0, 0);
    OK(near(s.max[GPUT__MAIN_CPU], 200), "half a period stands alone");
    begin(&s, 0);
    record(&s, 11, 0.9, 0);
    record(&s, 12, 1.0, 0);
    end(&s, 12.5, 1.0, 0);
    OK(near(s.max[GPUT__MAIN_CPU], 90), "and leaves the ones before as they are");
}

static void never_above_the_cores(void)
{
    struct gput__summary s;

    begin(&s, 0);
    record(&s, 11, 4.1, 0); /* 410 % of 4 cores: two clocks read a moment apart */
    record(&s, 12, 5.0, 0);
    end(&s, 13, 6, 0);
    OK(s.max[GPUT__MAIN_CPU] == 400, "a rate is cut to the cores");
}

static void no_records(void)
{
    struct gput__summary s;

    begin(&s, 1);
    end(&s, 10.05, 1.04, 8);
    OK(near(s.max[GPUT__MAIN_CPU], 80), "a job shorter than the period: its whole length");
    OK(near(gput__summary_mean(&s, GPUT__MAIN_CPU), 80), "and the same mean");
    OK(s.max[GPUT__MAIN_RAM] == 8 && s.n_records == 0, "with the end's levels");
    begin(&s, 1);
    end(&s, 10, 1, 0);
    OK(s.max[GPUT__MAIN_CPU] == 0 && gput__summary_mean(&s, GPUT__MAIN_CPU) == 0,
       "a job of no length");
}

static void unknown_counters(void)
{
    struct gput__summary s;
    struct gput__sample bare = { .boot_ns = 11 * S };

    begin(&s, 0);
    gput__summary_record(&s, &bare);
    bare.boot_ns = 12 * S;
    gput__summary_end(&s, &bare);
    OK(!gput__summary_has(&s, GPUT__DESCENDANTS_CPU), "a counter that was never read");
    OK(gput__summary_mean(&s, GPUT__MAIN_CPU) == 0, "one that was lost has no mean");
}

int main(void)
{
    gauges();
    rates();
    a_short_last_interval();
    never_above_the_cores();
    no_records();
    unknown_counters();
    return DONE();
}
