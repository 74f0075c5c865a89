/* test_advice.c - what a run tells, in words. */
#include "report/advice.h"

#include <signal.h>
#include <stdbool.h>
#include <string.h>

#include "model/levels.h"
#include "report/text/ending.h"
#include "run_fixture.h"
#include "tap.h"

static const struct gput__advice *found(const struct gput__run *run, const char *id)
{
    static struct gput__advice list[GPUT__MOST_ADVICE];
    size_t n = gput__advice(run, list);

    for (size_t i = 0; i < n; i++)
        if (!strcmp(list[i].id, id))
            return &list[i];
    return NULL;
}

static bool says(const struct gput__run *run, const char *id, const char *wanted)
{
    const struct gput__advice *a = found(run, id);

    if (a && !strcmp(a->what, wanted))
        return true;
    printf("# %s: %s\n", id, a ? a->what : "not found");
    return false;
}

static bool is_limited(const struct gput__run *run, const char *wanted)
{
    char text[200];

    gput__limit_in_words(run, text, sizeof(text));
    if (!strcmp(text, wanted))
        return true;
    printf("# %s\n", text);
    return false;
}

static bool ended(const struct gput__run *run, const char *wanted)
{
    struct gput__advice ending;

    gput__ending_in_words(run, &ending);
    if (!strcmp(ending.what, wanted))
        return true;
    printf("# %s\n", ending.what);
    return false;
}

static void endings(void)
{
    struct gput__run run = a_run();

    OK(ended(&run, "Finished"), "exit code 0");
    run.usage.job.code = 3;
    OK(ended(&run, "Failed with exit code 3"), "another one");
    run.usage.job.ending = GPUT_SIGNALED;
    run.usage.job.code = SIGSEGV;
    OK(ended(&run, "Killed by signal 11 (SIGSEGV)"), "a signal");
    run.usage.job.code = 63;
    OK(ended(&run, "Killed by signal 63"), "one without a name");
    run.usage.job.code = SIGKILL;
    run.usage.job.oom = GPUT_OOM_YES;
    OK(ended(&run, "Killed for memory at the limit of 16.0 GB"), "for memory");
    run.usage.job.oom = GPUT_OOM_PROBABLY;
    run.usage.limits.memory_effective.source = GPUT_UNAVAILABLE;
    run.usage.max_ram.system_capacity.source = GPUT_UNAVAILABLE;
    OK(ended(&run, "Probably killed for memory"), "perhaps, and nobody knows the limit");
    run.usage.job.oom = GPUT_OOM_NO;
    run.usage.job.timed_out = 1;
    OK(ended(&run, "Ended for its time limit after 1 min"), "for its time limit");
    run.usage.compute_time.time.source = GPUT_UNAVAILABLE;
    OK(ended(&run, "Ended for its time limit"), "whose length is not known");
    run = a_run();
    run.usage.job.ending = GPUT_RUNNING;
    OK(ended(&run, "Running"), "it has not ended");
    run.usage.job.ending = GPUT_GONE;
    OK(ended(&run, "Ended"), "a process that was not ours");
    run.source = (char[]){ "records.csv" };
    OK(ended(&run, "How it ended is not known"), "records do not tell");
    run.usage.job.pid = 77;
    OK(ended(&run, "Ended"), "a result of such a process does");
    run.usage.job.ending = GPUT_RUNNING;
    OK(ended(&run, "How it ended is not known"), "a result so far does not");
}

static void memory(void)
{
    struct gput__run run = a_run();

    OK(!found(&run, "memory-limit") && !found(&run, "memory-unused"),
       "2 of 16 GB of a machine: nothing to say");
    run.usage.limits.memory_cgroup = exact(16e9);
    OK(says(&run, "memory-unused", "It used 2.00 GB of the 16.0 GB that it was given."),
       "of a limit that somebody asked for: it asked for too much");
    run.usage.max_ram.combined.total_rss = exact(15.5e9);
    OK(says(&run, "memory-limit", "Memory reached 97 % of the limit of 16.0 GB."), "nearly full");
    run.usage.limits.near_memory_seconds = exact(15);
    OK(is_limited(&run,
                  "Memory reached 97 % of the limit of 16.0 GB, and was near it 25 % of the time."),
       "for a quarter of the minute");
    run.usage.max_ram.combined.total_rss = exact(14e9);
    run.usage.ram_bounds.combined_at_most = exact(15.5e9);
    OK(says(&run, "memory-limit", "Memory may have reached 97 % of the limit of 16.0 GB."),
       "an estimate counts with its upper bound, and as possible alone");
    run.usage.max_ram.combined.total_rss = exact(15.5e9);
    run.usage.job.oom = GPUT_OOM_YES;
    OK(says(&run, "memory-limit", "Memory ran out at the limit of 16.0 GB.") &&
           is_limited(&run, "Memory ended it."),
       "killed for it");
    OK(strstr(found(&run, "memory-limit")->todo, "twice as much") != NULL,
       "twice as much may do, as is recommended");
    run.usage.limits.memory_effective.source = run.usage.limits.memory_cgroup.source =
        run.usage.max_ram.system_capacity.source = GPUT_UNAVAILABLE;
    OK(says(&run, "memory-limit", "Memory ran out."), "at a limit that nobody knows");
    run = a_run();
    run.usage.max_ram.combined.total_rss.source = GPUT_UNAVAILABLE;
    run.usage.max_ram.combined.total_rss.value = 0;
    run.usage.limits.memory_cgroup = exact(16e9);
    OK(!found(&run, "memory-unused"), "not known is not little");
}

static void cores(void)
{
    struct gput__run run = a_run();

    OK(is_limited(&run, "Nothing that was measured was at its limit for long.") &&
           !found(&run, "few-cores"),
       "2 of 8 cores, at times 7: nothing to say");
    run.usage.cpu_utilization.combined.mean_sum_percent = exact(99);
    run.usage.cpu_utilization.combined.max_sum_percent = exact(102);
    OK(is_limited(&run, "It used 0.99 of 8 cores, as a single thread does."),
       "one core, as far as a mean can tell");
    run.usage.limits.cores_effective = exact(1);
    OK(!found(&run, "cpu-one-core") &&
           says(&run, "cpu-all-cores", "It used 0.99 of 1 core on average."),
       "of one: all it could have");
    run.usage.limits.cores_effective = exact(8);
    run.usage.cpu_utilization.combined.mean_sum_percent = exact(760);
    run.usage.cpu_utilization.combined.max_sum_percent = exact(800);
    OK(is_limited(&run, "It used 7.6 of 8 cores on average."), "all cores");
    run.usage.cpu_utilization.combined.mean_sum_percent = exact(210);
    run.usage.cpu_utilization.combined.max_sum_percent = exact(310);
    OK(says(&run, "few-cores", "It never used more than 3.1 of 8 cores."), "some");
    run.usage.cpu_utilization.combined.max_sum_percent = exact(112);
    run.usage.limits.cores_effective = exact(2);
    OK(!found(&run, "few-cores"), "1.12 of 2: one would be too few");
    run.usage.limits.cores_effective = exact(8);
    run.usage.cpu_utilization.combined.mean_sum_percent = exact(5);
    OK(says(&run, "waiting", "On average 0.05 cores were busy.") &&
           is_limited(&run, "It mostly waited."),
       "hardly any");
    run.usage.cpu_utilization.combined.mean_sum_percent = exact(0.01);
    OK(says(&run, "waiting", "On average 0 cores were busy."), "none to speak of");
    run.usage.compute_time.time = exact(0.1);
    OK(!found(&run, "waiting") && is_limited(&run, "It was too short to tell what limited it."),
       "a tenth of a second tells nothing");
    run.usage.cpu_utilization.combined.mean_sum_percent.source = GPUT_UNAVAILABLE;
    run.usage.compute_time.time = exact(60);
    OK(!found(&run, "waiting") && !found(&run, "cpu-all-cores"), "not known is not idle");
}

static struct gput_bottleneck bottlenecks[GPUT_MOST_BOTTLENECKS];

static const struct gput_bottleneck *bottleneck(const struct gput__run *run, const char *what)
{
    int n = gput_bottlenecks(&run->usage, bottlenecks);

    for (int i = 0; i < n; i++)
        if (!strcmp(bottlenecks[i].what, what))
            return &bottlenecks[i];
    return NULL;
}

/* Little was used, and that for want of a CPU. */
static void others_on_the_machine(void)
{
    struct gput__run run = a_run();
    struct gput_usage *u = &run.usage;

    u->cpu_utilization.combined.mean_sum_percent = exact(13);
    u->cpu_utilization.combined.max_sum_percent = exact(23);
    u->cpu_utilization.system.mean_sum_percent = exact(790);
    OK(is_limited(&run, "It mostly waited."), "for what is not known");
    u->waiting.run_queue_seconds = exact(75);
    OK(is_limited(&run, "Others kept it from the CPU.") && !found(&run, "waiting") &&
           says(&run, "crowded",
                "Its threads waited 1 min 15 s for a CPU, while others used 7.8 "
                "cores on average."),
       "for a CPU that others had");
    u->waiting.run_queue_seconds = exact(14);
    OK(!found(&run, "crowded") && is_limited(&run, "It mostly waited."),
       "most of the time it wanted none");
    u->waiting.run_queue_seconds = exact(75);
    u->cpu_utilization.combined.mean_sum_percent = exact(780);
    OK(!found(&run, "crowded"), "its own threads stood in each other's way");
    u->cpu_utilization.combined.mean_sum_percent = exact(13);
    u->cpu_utilization.system.mean_sum_percent = exact(500);
    OK(!found(&run, "crowded"), "there was room on the machine: a group or an affinity of its own");
}

/* By the share of the time at a limit, whatever the mean is. */
static void shares_of_time(void)
{
    struct gput__run run = a_run();
    double *seconds = run.usage.cpu_levels.seconds;

    run.usage.limits.cores_effective = exact(2);
    run.usage.cpu_utilization.combined.mean_sum_percent = exact(90);
    run.usage.cpu_utilization.combined.max_sum_percent =
        exact(150); /* by records, which blur bursts */
    seconds[gput__level_of(2)] = 24;
    seconds[gput__level_of(0.05)] = 36;
    OK(is_limited(&run, "All 2 cores were busy 40 % of the time."), "bursts of both cores");
    OK(bottleneck(&run, "cpu-all-cores")->share_of_time == 0.4 &&
           !strcmp(bottleneck(&run, "cpu-all-cores")->confidence, "medium"),
       "as seen at records");
    run.usage.tracker.n_polls = exact(600);
    OK(!strcmp(bottleneck(&run, "cpu-all-cores")->confidence, "high"), "or between them");
    run.usage.limits.cores_effective = exact(4);
    OK(gput_bottlenecks(&run.usage, bottlenecks) == 0, "2 of 4 cores are at no limit");
    run.usage.limits.cores_effective = exact(1.5); /* a quota */
    OK(is_limited(&run, "All 1.5 cores were busy 40 % of the time."),
       "a limit below the machine's");
    run.usage.limits.cores_effective = exact(2);
    seconds[gput__level_of(1)] = 60;
    OK(is_limited(&run, "Only one of 2 cores was busy 50 % of the time.") &&
           bottleneck(&run, "cpu-one-core") == &bottlenecks[0] &&
           says(&run, "cpu-all-cores", "All 2 cores were busy 20 % of the time."),
       "the heavier one comes first, and the other one too");
    OK(!strcmp(bottleneck(&run, "cpu-one-core")->confidence, "medium"),
       "it may have been two threads in turn");
    run.usage.cpu_utilization.combined_n_threads = exact(1);
    OK(!strcmp(bottleneck(&run, "cpu-one-core")->confidence, "high"), "or cannot have been");
    seconds[gput__level_of(1)] = 400;
    OK(!bottleneck(&run, "cpu-all-cores"), "less than a tenth of the time is not worth a word");
    run.usage.job.oom = GPUT_OOM_YES;
    OK(gput_bottlenecks(&run.usage, bottlenecks) == 2 &&
           !strcmp(bottlenecks[0].what, "memory-limit"),
       "what ended it is heavier than all");
    run.usage.compute_time.time = exact(1);
    OK(gput_bottlenecks(&run.usage, bottlenecks) == 1, "of so short a run the use says nothing");
}

static struct gput__run a_gpu_run(double percent)
{
    struct gput__run run = a_run();
    struct gput_usage *u = &run.usage;

    u->gpu_utilization.system_gpu_count = u->gpu_utilization.n_expected_gpus = exact(1);
    u->gpu_utilization.gpu_percentages.mean_hardware_percent = exact(percent);
    u->gpu_utilization.gpu_percentages.max_hardware_percent = exact(100);
    u->max_gpu_ram.combined = exact(10e9);
    u->max_gpu_ram.system_capacity = exact(80e9);
    return run;
}

static void gpus(void)
{
    struct gput__run run = a_gpu_run(96);
    struct gput_gpu two[2] = { { .is_counted = 1, .mean_utilization = exact(90) },
                               { .is_counted = 1, .mean_utilization = exact(0) } };
    double *percent;

    OK(says(&run, "gpu-busy", "The GPU was busy 96 % of the time.") &&
           is_limited(&run, "The GPU limited it."),
       "busy");
    run = a_gpu_run(30);
    OK(says(&run, "gpu-idle", "The GPU was used to 30 % on average."), "used in part");
    add_series(&run, 101);
    percent = add_metric(&run, GPUT__GPU_PERCENT, 79);
    for (int i = 0; i < 62; i++)
        percent[i + 1] = 0;
    OK(says(&run, "gpu-idle", "The GPU was idle 62 % of the time."),
       "idle for a share of the time");
    run.usage.cpu_utilization.combined.mean_sum_percent = exact(790);
    OK(strstr(found(&run, "gpu-idle")->todo, "CPU was busy") != NULL, "the CPU holds it up");
    run.usage.cpu_utilization.combined.mean_sum_percent = exact(100);
    OK(strstr(found(&run, "gpu-idle")->todo, "One core was busy") != NULL,
       "or one core of several");
    for (int i = 1; i < 10; i++)
        percent[i] = NAN;
    run.series.time[20] = run.series.time[19];
    OK(says(&run, "gpu-idle", "The GPU was idle 58 % of the time."),
       "what is not known and what took no time do not count");
    run.usage.compute_time.time = exact(20);
    OK(strstr(found(&run, "gpu-idle")->todo, "starting up") != NULL,
       "of a short run nobody is told to change the code");
    gput__run_free(&run);
    run = a_gpu_run(0);
    run.usage.max_gpu_ram.combined = exact(0);
    OK(says(&run, "gpu-unused", "It did not use the GPU."), "never used");
    run.usage.max_gpu_ram.combined.source = GPUT_UNAVAILABLE;
    OK(!found(&run, "gpu-unused"), "not known is not unused");
    run = a_gpu_run(90);
    run.usage.max_gpu_ram.combined = exact(79e9);
    OK(found(&run, "gpu-memory-nearly-full") != NULL, "its memory is nearly full");
    run = a_gpu_run(45);
    run.usage.gpu.gpus = two;
    run.usage.gpu.n_gpus = 2;
    two[0].throttled = "power limit";
    OK(says(&run, "some-gpus-idle", "1 of 2 GPUs did nothing."), "one of two");
    OK(says(&run, "gpu-slowed", "GPU 0 was slowed down: power limit."), "slowed down");
}

static void the_rest(void)
{
    struct gput__run run = { .usage.size = 0 };
    struct gput__advice list[GPUT__MOST_ADVICE];

    OK(gput__advice(&run, list) == 0 && is_limited(&run, "What limited it is not known."),
       "of a run of which nothing is known nothing is said");
    run = a_run();
    run.usage.job.n_left = 2;
    OK(says(&run, "left-behind", "2 of its processes live on."), "who lives on");
    run.usage.totals.major_faults = exact(60000);
    OK(is_limited(&run, "Too little memory slowed it down."), "memory read back from disk");
    run.usage.job.timed_out = 1;
    OK(is_limited(&run, "Its time limit ended it."), "the most pressing comes first");
}

int main(void)
{
    endings();
    memory();
    cores();
    others_on_the_machine();
    shares_of_time();
    gpus();
    the_rest();
    return DONE();
}
