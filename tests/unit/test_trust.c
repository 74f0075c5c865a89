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
/* Moments of a run, all equally long; a record is each tenth of them. */
enum { N_RUNS = 10000, MOST = 300, RECORD = 10, MOST_GPUS = 8 };

enum shape { FLAT, BURSTY, GROWING, SPIKE, N_SHAPES };
enum cut { WHOLE, OUT_OF_MEMORY, OUT_OF_TIME, N_CUTS };
/* How its peak of memory is known: exactly; an estimate with an upper bound; what some moments had. */
enum knowledge { EXACT, BOUNDED, SAMPLED, N_KNOWLEDGES };

/* What really happened. */
struct truth {
    int n, machine;
    enum cut cut;
    double cores[MOST], memory[MOST];
    double most_cores, peak, limit, moment, seconds;
    int n_gpus; /* that it had; it worked on some of them */
    double gpu[MOST_GPUS], vram;
};

/* What is known of it. */
struct knowing {
    enum knowledge peak;
    bool has_levels, has_gpus; /* over time; one by one */
    double estimate, bound, vram;
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

/* Percent of the time that each worked. */
static void make_gpus(struct truth *t)
{
    t->n_gpus = uniform(0, 1) < 0.5 ? 0 : whole(1, MOST_GPUS);
    for (int i = 0; i < t->n_gpus; i++)
        t->gpu[i] = i == 0 || uniform(0, 1) < 0.7 ? uniform(2, 100) : 0;
    t->vram = t->n_gpus > 0 ? exp(uniform(log(100 * MIB), log(6e11))) : 0;
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
    t->moment = uniform(0, 1) < 0.5 ? 0.1 : whole(100, 300000) / 1000.0;
    t->seconds = t->n * t->moment;
    make_gpus(t);
}

static struct gput_figure known(double value, enum gput_source source)
{
    return (struct gput_figure){ value, source, NULL };
}

/* What is seen of it: an estimate lies below its bound, and may lie below the truth. */
static struct knowing look(const struct truth *t, bool has_levels)
{
    struct knowing k = { .peak = (enum knowledge)whole(0, N_KNOWLEDGES - 1),
                         .has_levels = has_levels,
                         .has_gpus = has_levels };
    /* A margin of 30 % has room for so much that was missed. */
    double missed = uniform(1 / (1 + 1.49 * MARGIN), 1);

    k.estimate = k.bound = t->peak;
    if (k.peak == SAMPLED)
        k.estimate *= missed;
    if (k.peak == BOUNDED) {
        k.estimate *= uniform(0.5, 1);
        k.bound *= uniform(1, 1.4);
    }
    k.vram = t->vram * missed;
    return k;
}

/* The sum of percents that were busy at once, of those that worked. */
static double busy_gpus(const struct truth *t)
{
    double sum = 0;

    for (int i = 0; i < t->n_gpus; i++)
        sum += t->gpu[i];
    return sum;
}

static void fill_gpus(const struct truth *t, const struct knowing *k, struct gput_usage *u)
{
    static struct gput_gpu gpus[MOST_GPUS];
    static struct gput_gpu_process processes[MOST_GPUS];

    for (int i = 0; i < t->n_gpus; i++) {
        gpus[i] = (struct gput_gpu){ .index = i, .mean_utilization = known(t->gpu[i], GPUT_EXACT) };
        processes[i] = (struct gput_gpu_process){ .gpu = i };
    }
    u->gpu.gpus = gpus;
    u->gpu.processes = processes;
    u->gpu.n_gpus = u->gpu.n_processes = k->has_gpus ? t->n_gpus : 0;
    u->gpu_utilization.system_gpu_count = known(t->n_gpus, GPUT_EXACT);
    u->gpu_utilization.gpu_percentages.mean_sum_percent = known(busy_gpus(t), GPUT_EXACT);
    u->gpu_utilization.gpu_percentages.max_sum_percent = known(busy_gpus(t), GPUT_EXACT);
    u->max_gpu_ram.combined = known(k->vram, GPUT_SAMPLED);
}

/* As the tracker does it: polls and records.  Returns the CPU seconds. */
static double measure_use(const struct truth *t, struct gput__summary *s)
{
    int64_t moment_ns = llrint(t->moment * 1e9);
    struct gput__sample now = { .boot_ns = GPUT__NS_PER_S };
    double cpu = 0;

    gput__sample_set(&now, GPUT__COMBINED_CPU, 0);
    gput__sample_set(&now, GPUT__COMBINED_RAM, 0);
    gput__summary_begin(s, RECORD * moment_ns, 100.0 * t->machine, &now);
    for (int i = 0; i < t->n; i++) {
        now.boot_ns += moment_ns;
        cpu += t->cores[i] * t->moment;
        gput__sample_set(&now, GPUT__COMBINED_CPU, cpu);
        gput__sample_set(&now, GPUT__COMBINED_RAM, t->memory[i]);
        if (i % RECORD == RECORD - 1)
            gput__summary_record(s, &now);
        else
            gput__summary_poll(s, &now);
        gput__summary_use(s, &now, t->limit);
    }
    gput__summary_end(s, &now);
    return cpu;
}

static void measure(const struct truth *t, const struct knowing *k, struct gput_demand *ret)
{
    struct gput_usage u = { .size = sizeof(u) };
    struct gput__summary s;
    double cpu = measure_use(t, &s);
    double cpu_max = k->has_levels ? s.max[GPUT__COMBINED_CPU] : 100 * t->most_cores;

    for (int i = 0; k->has_levels && i < GPUT_CPU_LEVELS; i++)
        u.cpu_levels.seconds[i] = s.use.cpu_seconds_at[i];
    u.cpu_utilization.combined.mean_sum_percent = known(100 * cpu / t->seconds, GPUT_EXACT);
    u.cpu_utilization.combined.max_sum_percent = known(cpu_max, GPUT_SAMPLED);
    u.max_ram.combined.total_rss = known(k->estimate, k->peak == EXACT ? GPUT_EXACT : GPUT_SAMPLED);
    if (k->peak != SAMPLED)
        u.ram_bounds.combined_at_most = known(k->bound, GPUT_SAMPLED);
    fill_gpus(t, k, &u);
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
        seconds += fmax(1, t->cores[i] / cores) * t->moment;
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

/* The largest number of MiB that is right to ask for, before rounding. */
static double most_of(const struct knowing *k)
{
    double margin = k->peak == SAMPLED ? 1.5 * MARGIN : MARGIN;

    return fmax(k->estimate * (1 + margin), k->peak == BOUNDED ? k->bound : 0) / MIB;
}

static int gpus_at_work(const struct truth *t, const struct knowing *k)
{
    int n = 0;

    for (int i = 0; i < t->n_gpus; i++)
        n += t->gpu[i] > 0;
    return k->has_gpus ? n : (int)ceil(busy_gpus(t) / 100 - 1e-9);
}

struct broken {
    int memory, more, time, cores, speed, twice, gpus, vram;
    double excess; /* beyond a step of rounding, shares of the peak */
    int n;         /* in which it was whole */
};

/* `n_gpus`: that there were. */
static void check_gpus(const struct truth *t, const struct knowing *k, int n_gpus,
                       const struct gput_resources *ask, struct broken *b)
{
    b->gpus += ask->gpu < gpus_at_work(t, k) || ask->gpu > n_gpus;
    b->vram += (double)ask->vram_mib * MIB < t->vram || (n_gpus == 0 && ask->vram_mib > 0);
}

static void check(const struct truth *t, const struct knowing *k, const struct gput_resources *ask,
                  struct broken *b)
{
    double bytes = (double)ask->memory_mib * MIB, seconds = time_on(t, ask->cpu);

    b->memory += bytes < t->peak;
    b->time += ask->time < seconds || (t->cut == OUT_OF_TIME && ask->time < 2 * t->seconds);
    b->cores += ask->cpu < 1 || ask->cpu > fmax(1, ceil(t->most_cores));
    b->speed += share_within(t, ask->cpu) < 0.95 - 1e-9;
    b->twice += t->cut == OUT_OF_MEMORY && bytes < 2 * t->limit;
    if (t->cut == OUT_OF_MEMORY)
        return;
    b->more += (double)ask->memory_mib - step_below((double)ask->memory_mib) > fmax(most_of(k), 0);
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
    OK(b->gpus == 0, "%s: as many GPUs as worked, and none that it did not have (%d)", of, b->gpus);
    OK(b->vram == 0, "%s: never less GPU memory than it needed (%d)", of, b->vram);
}

static void nothing_is_wasted(const struct broken *b, const char *of)
{
    OK(b->more == 0, "%s: never more memory than margin or bound and a step of rounding (%d)", of,
       b->more);
    OK(b->n > N_RUNS / 2 && b->excess / b->n <= MARGIN,
       "%s: the mean excess over the peak is within the margin and a step of rounding (%g)", of,
       b->excess / b->n);
}

static void single_runs(void)
{
    struct broken with = { 0 }, without = { 0 };

    for (int i = 0; i < 2 * N_RUNS; i++) {
        struct gput_resources ask;
        struct gput_demand d;
        struct knowing k;
        struct truth t;

        make_truth(&t);
        k = look(&t, i % 2 == 0);
        measure(&t, &k, &d);
        gput_recommend_margin(&d, 1, MARGIN, &ask);
        check(&t, &k, &ask, k.has_levels ? &with : &without);
        check_gpus(&t, &k, t.n_gpus, &ask, k.has_levels ? &with : &without);
    }
    nothing_is_broken(&with, "with levels");
    nothing_is_wasted(&with, "with levels");
    nothing_is_broken(&without, "mean and maximum alone");
    nothing_is_wasted(&without, "mean and maximum alone");
}

static void runs_together(void)
{
    struct broken b = { 0 };

    for (int i = 0; i < N_RUNS / 10; i++) {
        static struct truth t[3];
        static struct gput_demand d[3];
        struct knowing k[3];
        struct gput_resources ask;
        struct truth all = { .n_gpus = 0 };
        int n = whole(2, 3);

        for (int j = 0; j < n; j++) {
            make_truth(&t[j]);
            k[j] = look(&t[j], uniform(0, 1) < 0.7);
            measure(&t[j], &k[j], &d[j]);
            all.most_cores = fmax(all.most_cores, t[j].most_cores);
            all.n_gpus = t[j].n_gpus > all.n_gpus ? t[j].n_gpus : all.n_gpus;
        }
        gput_recommend_margin(d, (size_t)n, MARGIN, &ask);
        for (int j = 0; j < n; j++) {
            t[j].most_cores = all.most_cores;
            check_gpus(&t[j], &k[j], all.n_gpus, &ask, &b);
            check(&t[j], &k[j], &ask, &b);
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
