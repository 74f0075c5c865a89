/* advice.c - what a run tells, in words: one table of rules. */
#include "report/advice.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analysis/recommend.h"
#include "base/text/print.h"
#include "model/figure.h"
#include "report/bottlenecks.h"
#include "report/limits/verdict.h"
#include "report/text/amount.h"

/* Below this a job is mostly start and end. */
#define TOO_SHORT 2.0
/* Below this starting up, e.g. loading libraries onto a GPU, is a good part of it. */
#define STARTING_UP 60.0
/* Use below this is idling. */
#define IDLE_PERCENT 5.0

/* What the rules look at; NAN is not known. */
struct facts {
    const struct gput__run *run;
    double seconds;
    double memory, memory_limit, memory_share; /* the share in percent */
    double cores, cores_max, cores_limit;      /* mean, highest, what there are */
    double n_gpus, gpu, gpu_max;               /* percent of all that count */
    double gpu_idle;                           /* percent of the time */
    double gpu_memory, gpu_memory_total, gpu_memory_share;
    double major_faults;
    struct gput_bottleneck bottlenecks[GPUT_MOST_BOTTLENECKS]; /* the heaviest first */
    int n_bottlenecks;
};

struct rule {
    const char *id; /* NULL: it only says what limited the job, by `limits` or what it found */
    enum gput__tone tone;
    /* Whether it applies; then the texts are filled. */
    int (*check)(const struct facts *f, char *what, size_t n_what, char *todo, size_t n_todo);
    const char *limits; /* the resource that limited the job, in words; NULL: it does not say */
};

/* Percent of the time in which no GPU was at work. */
static double share_of_idling(const struct gput__run *run)
{
    const struct gput__run_series *s = &run->series;
    const double *sum = s->value[GPUT__JOB_GPU_PERCENT] ? s->value[GPUT__JOB_GPU_PERCENT]
                                                        : s->value[GPUT__GPU_PERCENT];
    double idle = 0, known = 0;

    for (size_t i = 1; sum && i < s->n; i++) {
        double length = s->time[i] - s->time[i - 1];

        if (isnan(sum[i]) || !(length > 0))
            continue;
        known += length;
        idle += sum[i] < IDLE_PERCENT ? length : 0;
    }
    return known > 0 && s->n > 8 ? 100 * idle / known : NAN;
}

static void gather(const struct gput__run *run, struct facts *f)
{
    const struct gput_usage *u = &run->usage;

    *f = (struct facts){
        .run = run,
        .seconds = gput__figure_value(u->compute_time.time),
        .memory = gput__figure_value(u->max_ram.combined.total_rss),
        .memory_limit = gput__known_or(u->limits.memory_effective, u->max_ram.system_capacity),
        .cores = gput__figure_value(u->cpu_utilization.combined.mean_sum_percent) / 100,
        .cores_max = gput__figure_value(u->cpu_utilization.combined.max_sum_percent) / 100,
        .cores_limit =
            gput__known_or(u->limits.cores_effective, u->cpu_utilization.system_core_count),
        .n_gpus = gput__figure_value(u->gpu_utilization.n_expected_gpus),
        .gpu = gput__figure_value(u->gpu_utilization.gpu_percentages.mean_hardware_percent),
        .gpu_max = gput__figure_value(u->gpu_utilization.gpu_percentages.max_hardware_percent),
        .gpu_idle = share_of_idling(run),
        .gpu_memory = gput__figure_value(u->max_gpu_ram.combined),
        .gpu_memory_total = gput__figure_value(u->max_gpu_ram.system_capacity),
        .major_faults = gput__figure_value(u->totals.major_faults),
    };
    f->n_bottlenecks = gput_bottlenecks(u, f->bottlenecks);
    f->memory_share = 100 * f->memory / f->memory_limit;
    f->gpu_memory_share = 100 * f->gpu_memory / f->gpu_memory_total;
}

#define SAY(text, n, ...) gput__snprintf(text, n, __VA_ARGS__)

static int has_job(const struct facts *f)
{
    return f->seconds >= TOO_SHORT;
}

static int uses_gpu(const struct facts *f)
{
    return f->n_gpus > 0 && (f->gpu_memory > 0 || f->gpu > IDLE_PERCENT);
}

/* The next two say what limited it, and nothing that the bottlenecks do not say. */
static int killed_for_memory(const struct facts *f, char *what, size_t n_what, char *todo,
                             size_t n_todo)
{
    (void)what;
    (void)n_what;
    (void)todo;
    (void)n_todo;
    return f->run->usage.job.oom != GPUT_OOM_NO;
}

static void say_bottleneck(const struct gput_bottleneck *b, char *ret, size_t size)
{
    size_t n = strlen(gput_bottleneck_words(b, ret, size - 1));

    strcpy(ret + n, ".");
}

static int heaviest(const struct facts *f, char *what, size_t n_what, char *todo, size_t n_todo)
{
    (void)todo;
    (void)n_todo;
    if (f->n_bottlenecks > 0)
        say_bottleneck(&f->bottlenecks[0], what, n_what);
    return f->n_bottlenecks > 0;
}

static int out_of_time(const struct facts *f, char *what, size_t n_what, char *todo, size_t n_todo)
{
    char time[GPUT__AMOUNT_SIZE];

    if (!f->run->usage.job.timed_out)
        return 0;
    SAY(what, n_what, "It was ended for its time limit after %s.",
        gput__amount_seconds(f->seconds, time));
    SAY(todo, n_todo, "Give it more time, or save its state so that it can go on.");
    return 1;
}

static int gpu_memory_nearly_full(const struct facts *f, char *what, size_t n_what, char *todo,
                                  size_t n_todo)
{
    if (!(f->gpu_memory_share >= 92))
        return 0;
    SAY(what, n_what, "GPU memory reached %.0f %% of what there is.", f->gpu_memory_share);
    SAY(todo, n_todo, "Leave the batch size as it is, or take a GPU with more memory.");
    return 1;
}

static int gpu_unused(const struct facts *f, char *what, size_t n_what, char *todo, size_t n_todo)
{
    if (!(f->n_gpus > 0) || !has_job(f) || !(f->gpu_memory == 0) || !(f->gpu < 1))
        return 0;
    SAY(what, n_what, f->n_gpus > 1 ? "It did not use the %.0f GPUs." : "It did not use the GPU.",
        f->n_gpus);
    SAY(todo, n_todo, "Check that the code moves its work to the GPU, or run it without one.");
    return 1;
}

/* A verdict whose name begins so says it already. */
static bool is_judged(const struct facts *f, const char *name)
{
    for (int i = 0; i < f->n_bottlenecks; i++)
        if (!strncmp(f->bottlenecks[i].what, name, strlen(name)))
            return true;
    return false;
}

static int gpu_busy(const struct facts *f, char *what, size_t n_what, char *todo, size_t n_todo)
{
    (void)n_todo;
    if (!uses_gpu(f) || !has_job(f) || !(f->gpu >= 85) || is_judged(f, "gpu-"))
        return 0;
    SAY(what, n_what, "The GPU%s busy %.0f %% of the time.", f->n_gpus > 1 ? "s were" : " was",
        f->gpu);
    *todo = '\0';
    return 1;
}

static const char *how_to_feed_it(const struct facts *f)
{
    if (f->seconds < STARTING_UP)
        return "Much of so short a run is starting up: look at a longer one before changing anything.";
    if (f->cores >= 0.85 * f->cores_limit)
        return "The CPU was busy meanwhile: more cores, or less work on the CPU, would feed it.";
    if (f->cores >= 0.85 && f->cores < 1.15 && f->cores_limit >= 2)
        return "One core was busy meanwhile: load the data with more workers.";
    return "Load the data ahead, with more workers, or take larger batches.";
}

static int gpu_idle(const struct facts *f, char *what, size_t n_what, char *todo, size_t n_todo)
{
    if (!uses_gpu(f) || !has_job(f) || !(f->gpu < 60) || is_judged(f, "gpu-idle") ||
        is_judged(f, "gpu-starved"))
        return 0;
    if (f->gpu_idle >= 10)
        SAY(what, n_what, "The GPU%s idle %.0f %% of the time.", f->n_gpus > 1 ? "s were" : " was",
            f->gpu_idle);
    else
        SAY(what, n_what, "The GPU%s used to %.0f %% on average.",
            f->n_gpus > 1 ? "s were" : " was", f->gpu);
    SAY(todo, n_todo, "%s", how_to_feed_it(f));
    return 1;
}

static int some_gpus_idle(const struct facts *f, char *what, size_t n_what, char *todo,
                          size_t n_todo)
{
    const struct gput_usage *u = &f->run->usage;
    int n = 0, idle = 0;

    for (int i = 0; i < u->gpu.n_gpus; i++) {
        double use = gput__figure_value(u->gpu.gpus[i].mean_utilization);

        if (!u->gpu.gpus[i].is_counted || isnan(use))
            continue;
        n++;
        idle += use < 1;
    }
    if (!uses_gpu(f) || !has_job(f) || idle == 0 || idle == n)
        return 0;
    SAY(what, n_what, "%d of %d GPUs did nothing.", idle, n);
    SAY(todo, n_todo, "Ask for %d, or spread the work over all of them.",
        gput__gpus_at_work(u) ? gput__gpus_at_work(u) : n - idle);
    return 1;
}

static int gpu_slowed(const struct facts *f, char *what, size_t n_what, char *todo, size_t n_todo)
{
    const struct gput_usage *u = &f->run->usage;

    (void)n_todo;
    if (is_judged(f, "gpu-power-cap") || is_judged(f, "gpu-thermal"))
        return 0;
    for (int i = 0; i < u->gpu.n_gpus; i++) {
        if (!u->gpu.gpus[i].throttled)
            continue;
        SAY(what, n_what, "GPU %d was slowed down: %.100s.", u->gpu.gpus[i].index,
            u->gpu.gpus[i].throttled);
        *todo = '\0';
        return 1;
    }
    return 0;
}

static int few_cores(const struct facts *f, char *what, size_t n_what, char *todo, size_t n_todo)
{
    if (!has_job(f) || is_judged(f, "cpu-") || !(f->cores >= 0.3) ||
        !(f->cores_max <= 0.6 * f->cores_limit) || ceil(f->cores_max) >= f->cores_limit)
        return 0;
    SAY(what, n_what, "It never used more than %.1f of %.4g cores.", f->cores_max, f->cores_limit);
    SAY(todo, n_todo, "Ask for fewer, or let it spread over more.");
    return 1;
}

static int crowded(const struct facts *f, char *what, size_t n_what, char *todo, size_t n_todo)
{
    double waited, others;
    char time[GPUT__AMOUNT_SIZE];

    if (!gput__was_crowded(&f->run->usage, &waited, &others))
        return 0;
    SAY(what, n_what, "Its threads waited %s for a CPU, while others used %.2g cores on average.",
        gput__amount_seconds(waited, time), others);
    SAY(todo, n_todo,
        "Measure it where nobody else is: there it may use more cores, for a shorter time.");
    return 1;
}

static int mostly_waiting(const struct facts *f, char *what, size_t n_what, char *todo,
                          size_t n_todo)
{
    double waited, others;

    if (!has_job(f) || !(f->cores < 0.3) || f->gpu > 30 ||
        gput__was_crowded(&f->run->usage, &waited, &others))
        return 0;
    SAY(what, n_what, "On average %.2g cores were busy.", f->cores < 0.005 ? 0 : f->cores);
    SAY(todo, n_todo, "Look for slow disks, the network, locks or sleeps.");
    return 1;
}

static int paging(const struct facts *f, char *what, size_t n_what, char *todo, size_t n_todo)
{
    char n[GPUT__AMOUNT_SIZE];

    if (!has_job(f) || !(f->major_faults / f->seconds > 100))
        return 0;
    SAY(what, n_what, "Memory had to be read back from disk %s times.",
        gput__amount_count(f->major_faults, n));
    SAY(todo, n_todo, "With more memory it would be faster.");
    return 1;
}

static int memory_unused(const struct facts *f, char *what, size_t n_what, char *todo,
                         size_t n_todo)
{
    char used[GPUT__AMOUNT_SIZE], limit[GPUT__AMOUNT_SIZE];

    if (isnan(gput__figure_value(f->run->usage.limits.memory_cgroup)) || !(f->memory_share < 30) ||
        !has_job(f))
        return 0;
    SAY(what, n_what, "It used %s of the %s that it was given.",
        gput__amount_bytes(f->memory, used), gput__amount_bytes(f->memory_limit, limit));
    SAY(todo, n_todo, "Ask for less: it would wait shorter and cost less.");
    return 1;
}

static int left_behind(const struct facts *f, char *what, size_t n_what, char *todo, size_t n_todo)
{
    int n = f->run->usage.job.n_left;

    if (n <= 0)
        return 0;
    SAY(what, n_what, "%d of its processes %s on.", n, n == 1 ? "lives" : "live");
    SAY(todo, n_todo, "What they use from then on is in no figure; --wait-descendants waits.");
    return 1;
}

static int too_short(const struct facts *f, char *what, size_t n_what, char *todo, size_t n_todo)
{
    (void)n_todo;
    (void)n_what;
    if (isnan(f->seconds) || has_job(f) || f->run->usage.job.ending == GPUT_RUNNING)
        return 0;
    *what = *todo = '\0'; /* the headline says it */
    return 1;
}

/* The most pressing first.  The first that names a limit says what limited the job. */
/* clang-format off */
static const struct rule rules[] = {
    { NULL, GPUT__TONE_BAD, killed_for_memory, "Memory ended it." },
    { "out-of-time", GPUT__TONE_BAD, out_of_time, "Its time limit ended it." },
    { "gpu-memory-nearly-full", GPUT__TONE_WARN, gpu_memory_nearly_full, NULL },
    { "gpu-unused", GPUT__TONE_WARN, gpu_unused, NULL },
    { "gpu-busy", GPUT__TONE_GOOD, gpu_busy, "The GPU limited it." },
    { "gpu-idle", GPUT__TONE_WARN, gpu_idle, NULL },
    { "some-gpus-idle", GPUT__TONE_WARN, some_gpus_idle, NULL },
    { "gpu-slowed", GPUT__TONE_WARN, gpu_slowed, NULL },
    { NULL, GPUT__TONE_NEUTRAL, heaviest, NULL },
    { "crowded", GPUT__TONE_WARN, crowded, "Others kept it from the CPU." },
    { "paging", GPUT__TONE_WARN, paging, "Too little memory slowed it down." },
    { "few-cores", GPUT__TONE_NEUTRAL, few_cores, NULL },
    { "waiting", GPUT__TONE_NEUTRAL, mostly_waiting, "It mostly waited." },
    { "memory-unused", GPUT__TONE_NEUTRAL, memory_unused, NULL },
    { "left-behind", GPUT__TONE_NEUTRAL, left_behind, NULL },
    { "too-short", GPUT__TONE_NEUTRAL, too_short, "It was too short to tell what limited it." },
};
/* clang-format on */
_Static_assert(sizeof(rules) / sizeof(*rules) + GPUT_MOST_BOTTLENECKS <= GPUT__MOST_ADVICE,
               "each rule has room");

/* What limited it at all times comes first. */
static size_t add_bottlenecks(const struct facts *f, struct gput__advice ret[GPUT__MOST_ADVICE])
{
    for (int i = 0; i < f->n_bottlenecks; i++) {
        const struct gput_bottleneck *b = &f->bottlenecks[i];
        bool is_end = f->run->usage.job.oom != GPUT_OOM_NO && !strcmp(b->what, "memory-limit");
        bool is_well = gput__bottleneck_is_good(b);

        ret[i].id = b->what;
        ret[i].tone = is_end ? GPUT__TONE_BAD : is_well ? GPUT__TONE_GOOD : GPUT__TONE_WARN;
        say_bottleneck(b, ret[i].what, sizeof(ret[i].what));
        snprintf(ret[i].todo, sizeof(ret[i].todo), "%s", b->advice);
    }
    return (size_t)f->n_bottlenecks;
}

size_t gput__advice(const struct gput__run *run, struct gput__advice ret[GPUT__MOST_ADVICE])
{
    struct facts f;
    size_t n;

    gather(run, &f);
    n = add_bottlenecks(&f, ret);
    for (size_t i = 0; i < sizeof(rules) / sizeof(*rules); i++) {
        struct gput__advice *a = &ret[n];

        a->id = rules[i].id;
        a->tone = rules[i].tone;
        n += a->id && rules[i].check(&f, a->what, sizeof(a->what), a->todo, sizeof(a->todo)) != 0 &&
             a->what[0];
    }
    return n;
}

void gput__limit_in_words(const struct gput__run *run, char *ret, size_t size)
{
    const char *limits = "Nothing that was measured was at its limit for long.";
    char what[200], todo[240];
    struct facts f;

    gather(run, &f);
    if (isnan(f.seconds) || (isnan(f.memory) && isnan(f.cores)))
        limits = "What limited it is not known.";
    for (size_t i = 0; i < sizeof(rules) / sizeof(*rules); i++)
        if ((rules[i].limits || !rules[i].id) &&
            rules[i].check(&f, what, sizeof(what), todo, sizeof(todo))) {
            limits = rules[i].limits ? rules[i].limits : what;
            break;
        }
    snprintf(ret, size, "%s", limits);
}
