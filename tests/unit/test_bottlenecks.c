/* test_bottlenecks.c - the table of verdicts: of a run that each is true of, and of one that none is. */
#include "report/bottlenecks.h"

#include <string.h>

#include "model/levels.h"
#include "report/limits/verdict.h"
#include "run_fixture.h"
#include "tap.h"

static struct gput_bottleneck found[GPUT_MOST_BOTTLENECKS];

/* The verdict of that name on the run; NULL: it is not given. */
static const struct gput_bottleneck *verdict(const struct gput__run *run, const char *what)
{
    int n = gput_bottlenecks(&run->usage, found);

    for (int i = 0; i < n; i++)
        if (!strcmp(found[i].what, what))
            return &found[i];
    return NULL;
}

static bool says(const struct gput__run *run, const char *what, const char *wanted)
{
    const struct gput_bottleneck *b = verdict(run, what);
    char words[GPUT__BOTTLENECK_SIZE];

    if (b && !strcmp(gput_bottleneck_words(b, words, sizeof(words)), wanted))
        return true;
    printf("# %s: %s\n", what, b ? words : "not found");
    return false;
}

static void patterns(void)
{
    struct gput_bottleneck b = { .what = "x", .share_of_time = 0.25 };
    char words[GPUT__BOTTLENECK_SIZE], few[12];

    gput__evidence_add(&b, "limit", 2e9);
    gput__evidence_add(&b, "waited", 3.5);
    gput__evidence_add(&b, "unknown", NAN);
    OK(!strcmp(gput__verdict_fill("{share} of {limit B}, {waited s}, {waited}", &b, words,
                                  sizeof(words)),
               "25 % of 2.00 GB, 3.50 s, 3.50"),
       "places are filled: %s", words);
    OK(!strcmp(gput__verdict_fill("{unknown %}{none J}", &b, words, sizeof(words)),
               "unknownunknown"),
       "what is not known says so: %s", words);
    OK(!strcmp(gput__verdict_fill("it waited {waited s", &b, words, sizeof(words)), "it waited "),
       "an open brace ends it");
    OK(strlen(gput__verdict_fill("{limit B}{limit B}{limit B}", &b, few, sizeof(few))) == 11,
       "no more than there is room for");
    for (int i = 0; i < 20; i++)
        gput__evidence_add(&b, "more", i);
    OK(b.n_evidence == 8 && gput__evidence(&b, "more") == 0, "evidence has its limit");
}

/* The words and advice of each are within their room, and none is said of a run without limits. */
static void none_of_an_idle_run(void)
{
    struct gput__run run = a_run();

    OK(gput_bottlenecks(&run.usage, found) == 0, "nothing was at its limit");
    run.usage = (struct gput_usage){ .size = sizeof(run.usage) };
    OK(gput_bottlenecks(&run.usage, found) == 0, "nothing is known: nothing is said");
}

static void cores(void)
{
    struct gput__run run = a_run();

    run.usage.cpu_levels.seconds[gput__level_of(8)] = 30;
    run.usage.cpu_levels.seconds[gput__level_of(1)] = 30;
    OK(says(&run, "cpu-all-cores", "All 8 cores were busy 50 % of the time"), "all cores");
    OK(gput__bottleneck_is_good(verdict(&run, "cpu-all-cores")), "that is well");
    OK(says(&run, "cpu-one-core", "Only one of 8 cores was busy 50 % of the time"), "one core");
    OK(!gput__bottleneck_is_good(verdict(&run, "cpu-one-core")), "that is not");
}

/* A quota of 0.3 cores of a job that would keep one busy. */
static void quota(void)
{
    struct gput__run run = a_run();
    struct gput_usage *u = &run.usage;

    u->limits.cores_cgroup = exact(0.3);
    u->waiting.throttled_seconds = exact(0);
    OK(!verdict(&run, "cpu-throttled"), "a quota that never held it back");
    u->waiting.throttled_seconds = exact(42);
    u->waiting.throttled_periods = u->waiting.quota_periods = exact(600);
    OK(says(&run, "cpu-throttled", "Its CPU quota of 0.30 cores held it back 70 % of the time"),
       "throttled");
    u->limits.cores_effective = exact(0.3);
    u->cpu_levels.seconds[gput__level_of(0.3)] = 60;
    OK(!verdict(&run, "cpu-all-cores"), "its cores were all busy: one verdict says so");
    u->waiting.throttled_seconds = exact(100);
    u->waiting.throttled_periods = exact(510);
    OK(verdict(&run, "cpu-throttled")->share_of_time == 0.85,
       "seconds of several cores: the periods tell the share");
    u->waiting.throttled_seconds = exact(1);
    OK(!verdict(&run, "cpu-throttled"), "too little to be worth a word");
}

static void hypervisor(void)
{
    struct gput__run run = a_run();

    run.usage.cpu_utilization.system.mean_sum_percent = exact(300);
    run.usage.machine.stolen_cpu_seconds = exact(1);
    OK(!verdict(&run, "cpu-stolen"), "a second of three minutes");
    run.usage.machine.stolen_cpu_seconds = exact(60);
    OK(says(&run, "cpu-stolen",
            "The hypervisor took 25 % of the CPU time that this machine wanted"),
       "60 of 240 CPU seconds");
    run.usage.cpu_utilization.system.mean_sum_percent.source = GPUT_UNAVAILABLE;
    OK(!verdict(&run, "cpu-stolen"), "of how much is not known");
}

static void swap(void)
{
    struct gput__run run = a_run();
    struct gput_usage *u = &run.usage;

    u->totals.max_swap = exact(2e9);
    u->machine.swapped_in_bytes = exact(0);
    u->machine.swapped_out_bytes = exact(2e9);
    OK(!verdict(&run, "swap"), "it was put away and never missed");
    u->machine.swapped_in_bytes = exact(5e9);
    OK(says(&run, "swap", "2.00 GB of its memory were in swap, and the machine read 5.00 GB back"),
       "swapping");
    OK(isnan(verdict(&run, "swap")->share_of_time), "for how long is not known");
    u->totals.max_swap = exact(0);
    OK(!verdict(&run, "swap"), "others swap");
}

static void pressure(void)
{
    struct gput__run run = a_run();
    struct gput_usage *u = &run.usage;

    u->waiting.pressure_of = "cgroup";
    u->waiting.memory_some_seconds = u->waiting.io_some_seconds = exact(30);
    u->waiting.memory_full_seconds = u->waiting.io_full_seconds = exact(20);
    OK(says(&run, "memory-pressure", "It waited for memory 50 % of the time"), "memory");
    OK(says(&run, "io", "It waited for disks 50 % of the time"), "disks");
    OK(!strcmp(verdict(&run, "io")->confidence, "high"), "of the job's own group it is sure");
    u->waiting.pressure_of = "machine";
    OK(says(&run, "memory-pressure",
            "The machine was short of memory: something waited for it 50 % of the time"),
       "of the machine");
    OK(!verdict(&run, "io"), "somebody waited for disks: nothing tells who");
    u->totals.disk_read_bytes = exact(9e9);
    u->totals.disk_write_bytes = exact(0);
    u->machine.disk_read_bytes = exact(10e9);
    u->machine.disk_write_bytes = exact(2e9);
    OK(!strcmp(verdict(&run, "io")->confidence, "medium"), "most bytes are the job's: likely it");
    u->machine.disk_write_bytes = exact(20e9);
    OK(!verdict(&run, "io"), "most bytes are of others: not said");
    u->waiting.blocked_seconds = exact(18);
    OK(says(&run, "io", "It waited for disks 30 % of the time"), "blocked at polls, as often");
    u->waiting.io_wait_seconds = exact(12);
    OK(says(&run, "io", "It waited for disks 20 % of the time"),
       "what the kernel counts is better");
    u->waiting.io_wait_seconds = exact(0);
    OK(!verdict(&run, "io"), "it waited for none: it was not this job");
}

int main(void)
{
    patterns();
    none_of_an_idle_run();
    cores();
    quota();
    hypervisor();
    swap();
    pressure();
    return DONE();
}
