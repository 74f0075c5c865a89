/* test_trust.c - what is asked for after a run is enough for that run: random runs, measured as the
 * tracker measures them. */
#include <math.h>
#include <stdlib.h>

#include "analysis/recommend.h"
#include "base/clock.h"
#include "model/levels.h"
#include "summary/summary.h"
#include "tap.h"

#define MIB 1048576.0
#define MARGIN 0.2
/* Moments of a run, a tenth of a second each; a record is each tenth of them. */
enum { N_RUNS = 10000, MOST = 300, RECORD = 10 };

enum shape { FLAT, BURSTY, GROWING, SPIKE, N_SHAPES };
enum cut { WHOLE, OUT_OF_MEMORY, OUT_OF_TIME, N_CUTS };

/* What really happened. */
struct truth {
    int n, machine;
    enum cut cut;
    double cores[MOST], memory[MOST];
    double most_cores, peak, limit, seconds;
};

static uint64_t state = 20261118;

static double uniform(double least, double most)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return least + (most - least) * (double)(state >> 40) / (double)(1 << 24);
}

static int whole(int least, int most)
{
    return (int)uniform(least, most + 0.999);
}

static double use_at(enum shape shape, double at, double low, double high, int period, int i)
{
    switch (shape) {
    case BURSTY:
        return i % period < period / 3 + 1 ? high : low;
    case GROWING:
        return low + (high - low) * at;
    case SPIKE:
        return at > 0.5 && at < 0.5 + 3.0 / MOST ? high : low;
    default:
        return high;
    }
}

static void make_truth(struct truth *t)
{
    enum shape cpu = (enum shape)whole(0, N_SHAPES - 1), ram = (enum shape)whole(0, N_SHAPES - 1);
    double high, low, base = exp(uniform(log(2 * MIB), log(4e11))), top = base * uniform(1, 40);
    int period = whole(2, 40);

    *t = (struct truth){ .n = whole(3, MOST), .machine = 1 << whole(0, 8) };
    high = uniform(0, 1) < 0.3 ? whole(1, t->machine) : uniform(0.02, t->machine);
    low = uniform(0, 1) < 0.5 ? 0 : uniform(0, high);
    t->cut = uniform(0, 1) < 0.8 ? WHOLE : (enum cut)whole(1, N_CUTS - 1);
    for (int i = 0; i < t->n; i++) {
        double at = (i + 1.0) / t->n;

        t->cores[i] = use_at(cpu, at, low, high, period, i);
        t->memory[i] = use_at(ram, at, base, top, period, i);
        t->most_cores = fmax(t->most_cores, t->cores[i]);
        t->peak = fmax(t->peak, t->memory[i]);
    }
    t->limit = t->cut == OUT_OF_MEMORY ? t->peak * uniform(1, 1.4) : t->peak * uniform(1, 50);
    t->seconds = t->n / 10.0;
}

static struct gput_figure known(double value, enum gput_source source)
{
    return (struct gput_figure){ value, source, NULL };
}

/* As the tracker sees it: polls, records, and how well the peak is known. */
static void measure(const struct truth *t, bool has_levels, struct gput_demand *ret)
{
    struct gput__sample now = { .boot_ns = GPUT__NS_PER_S };
    struct gput_usage u = { .size = sizeof(u) };
    struct gput__summary s;
    double bound = t->peak * uniform(1, 1 + MARGIN), cpu = 0, cpu_max;
    bool is_exact = uniform(0, 1) < 0.5;

    gput__sample_set(&now, GPUT__COMBINED_CPU, 0);
    gput__sample_set(&now, GPUT__COMBINED_RAM, 0);
    gput__summary_begin(&s, GPUT__NS_PER_S, 100.0 * t->machine, &now);
    for (int i = 0; i < t->n; i++) {
        now.boot_ns += GPUT__NS_PER_S / 10;
        cpu += t->cores[i] / 10;
        gput__sample_set(&now, GPUT__COMBINED_CPU, cpu);
        gput__sample_set(&now, GPUT__COMBINED_RAM, t->memory[i]);
        if (i % RECORD == RECORD - 1)
            gput__summary_record(&s, &now);
        else
            gput__summary_poll(&s, &now);
        gput__summary_use(&s, &now, t->limit);
    }
    gput__summary_end(&s, &now);
    cpu_max = has_levels ? s.max[GPUT__COMBINED_CPU] : 100 * t->most_cores;
    for (int i = 0; has_levels && i < GPUT_CPU_LEVELS; i++)
        u.cpu_levels.seconds[i] = s.use.cpu_seconds_at[i];
    u.cpu_utilization.combined.mean_sum_percent = known(100 * cpu / t->seconds, GPUT_EXACT);
    u.cpu_utilization.combined.max_sum_percent = known(cpu_max, GPUT_SAMPLED);
    /* An estimate lies below its bound, and may lie below the truth. */
    u.max_ram.combined.total_rss =
        known(is_exact ? t->peak : t->peak * uniform(0.9, 1), is_exact ? GPUT_EXACT : GPUT_SAMPLED);
    u.ram_bounds.combined_at_most = known(is_exact ? t->peak : bound, GPUT_SAMPLED);
    u.compute_time.time = known(t->seconds, GPUT_EXACT);
    u.limits.memory_effective = known(t->limit, GPUT_EXACT);
    u.limits.cores_effective = known(t->machine, GPUT_EXACT);
    u.job.ending = t->cut == WHOLE ? GPUT_EXITED : GPUT_SIGNALED;
    u.job.oom = t->cut == OUT_OF_MEMORY ? GPUT_OOM_YES : GPUT_OOM_NO;
    u.job.timed_out = t->cut == OUT_OF_TIME;
    gput_demand_of(&u, ret);
}

/* How long it takes on so many cores: what needs more of them waits for its turn. */
static double time_on(const struct truth *t, int cores)
{
    double seconds = 0;

    for (int i = 0; i < t->n; i++)
        seconds += fmax(1, t->cores[i] / cores) / 10;
    return seconds;
}

/* Of the time in which it used any cores, the share in which these were enough, or nearly. */
static double share_within(const struct truth *t, int cores)
{
    int busy = 0, within = 0;

    for (int i = 0; i < t->n; i++) {
        busy += t->cores[i] > 0;
        within += t->cores[i] > 0 && t->cores[i] <= 1.1 * cores + 0.0625;
    }
    return busy ? (double)within / busy : 1;
}

/* What rounding may add. */
static double step_below(double mib)
{
    return mib <= 128 ? 128 : mib <= 2048 ? mib / 2 : 1024;
}

struct broken {
    int memory, time, cores, speed, twice;
    double excess; /* beyond a step of rounding, shares of the peak */
    int n;         /* in which it was whole */
};

static void check(const struct truth *t, const struct gput_resources *ask, struct broken *b)
{
    double bytes = (double)ask->memory_mib * MIB, seconds = time_on(t, ask->cpu);

    b->memory += bytes < t->peak;
    b->time += ask->time < seconds || (t->cut == OUT_OF_TIME && ask->time < 2 * t->seconds);
    b->cores += ask->cpu < 1 || ask->cpu > fmax(1, ceil(t->most_cores));
    b->speed += share_within(t, ask->cpu) < 0.95 - 1e-9;
    b->twice += t->cut == OUT_OF_MEMORY && bytes < 2 * t->limit;
    if (t->cut == OUT_OF_MEMORY)
        return;
    b->excess += (bytes - t->peak - step_below((double)ask->memory_mib) * MIB) / t->peak;
    b->n++;
}

static void nothing_is_broken(const struct broken *b, const char *of)
{
    OK(b->memory == 0, "%s: never less memory than it needed (%d)", of, b->memory);
    OK(b->twice == 0, "%s: killed for memory: at least twice the limit (%d)", of, b->twice);
    OK(b->time == 0, "%s: never less time than it needs on the cores asked for (%d)", of, b->time);
    OK(b->cores == 0, "%s: never more cores than it used at most, rounded up (%d)", of, b->cores);
    OK(b->speed == 0, "%s: 95 %% of its busy time fits in them (%d)", of, b->speed);
}

static void single_runs(void)
{
    struct broken with = { 0 }, without = { 0 };

    for (int i = 0; i < N_RUNS; i++) {
        struct gput_resources ask;
        struct gput_demand d;
        struct truth t;

        make_truth(&t);
        measure(&t, true, &d);
        gput_recommend_margin(&d, 1, MARGIN, &ask);
        check(&t, &ask, &with);
        measure(&t, false, &d);
        gput_recommend_margin(&d, 1, MARGIN, &ask);
        check(&t, &ask, &without);
    }
    nothing_is_broken(&with, "with levels");
    nothing_is_broken(&without, "mean and maximum alone");
    OK(with.n > N_RUNS / 2 && with.excess / with.n <= MARGIN,
       "the mean excess of memory is within the margin and a step of rounding (%g)",
       with.excess / with.n);
}

static void runs_together(void)
{
    struct broken b = { 0 };

    for (int i = 0; i < N_RUNS / 10; i++) {
        static struct truth t[3];
        static struct gput_demand d[3];
        struct gput_resources ask;
        struct truth all = { .cut = OUT_OF_MEMORY }; /* of several nobody tells the excess */
        int n = whole(2, 3);

        for (int k = 0; k < n; k++) {
            make_truth(&t[k]);
            measure(&t[k], uniform(0, 1) < 0.7, &d[k]);
            all.most_cores = fmax(all.most_cores, t[k].most_cores);
        }
        gput_recommend_margin(d, (size_t)n, MARGIN, &ask);
        for (int k = 0; k < n; k++) {
            t[k].most_cores = all.most_cores;
            check(&t[k], &ask, &b);
        }
    }
    nothing_is_broken(&b, "several runs");
}

/* --- what was asked for wrongly once -------------------------------------------------------- */

static void asks(const char *what, const double (*levels)[2], double mean, double most, int want,
                 double longest)
{
    struct gput_demand d = {
        .cpu_mean = mean, .cpu_max = most, .memory_peak = MIB, .memory_most = MIB
    };
    struct gput_resources ask;

    for (int i = 0; levels[i][1] > 0; i++) {
        d.cpu_seconds_at[gput__level_of(levels[i][0])] += levels[i][1];
        d.duration += levels[i][1];
    }
    gput_recommend(&d, 1, &ask);
    OK(ask.cpu == want && ask.time <= longest, "%s: %d cores (%d), %g s", what, want, ask.cpu,
       ask.time);
}

static void seen_before(void)
{
    /* Half of the time one core, half of it two: "1 core" would take half as long again. */
    asks("make -j2", (const double[][2]){ { 2, 47 }, { 1, 50 }, { 0.25, 3 }, { 0, 0 } }, 1.47, 2, 2,
         120);
    asks("a search over a grid with two jobs",
         (const double[][2]){ { 2, 50 }, { 1, 50 }, { 0, 0 } }, 1.4996, 2, 2, 120);
    asks("10 h at 1.48 cores", (const double[][2]){ { 1.48, 36000 }, { 0, 0 } }, 1.48, 1.5, 2,
         43200);
    asks("one core, seen through the kernel's ticks",
         (const double[][2]){ { 0.98, 60 }, { 1.03, 60 }, { 0, 0 } }, 1, 1.03, 1, 180);
    asks("three seconds of a hundred on 32", (const double[][2]){ { 1, 97 }, { 32, 3 }, { 0, 0 } },
         1.93, 32, 1, 240);
    asks("idle but for bursts of both", (const double[][2]){ { 0, 90 }, { 2, 10 }, { 0, 0 } }, 0.2,
         0.9, 2, 120);
}

int main(void)
{
    single_runs();
    runs_together();
    seen_before();
    return DONE();
}
