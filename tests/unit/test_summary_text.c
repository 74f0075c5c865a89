/* test_summary_text.c - a run in a few lines. */
#include "gput.h"

#include <signal.h>
#include <string.h>

#include "run_fixture.h"
#include "tap.h"

static void says(const struct gput_usage *u, const char *want, const char *what)
{
    char *text = NULL;

    if (!OK(gput_usage_summary(u, 30, 1, &text) == 0 && strstr(text, want), "%s", what))
        printf("# %s\n", text ? text : "no text");
    free(text);
}

static void without_a_gpu(void)
{
    struct gput__run run = a_run();
    struct gput_usage *u = &run.usage;

    u->job.command = "./job";
    says(u,
         "./job:\n"
         "   exited with 0 after 1 min\n"
         "   Memory     2.00 GB at most, 12 % of the machine's 16.0 GB\n"
         "   CPU        2 cores on average, 7 at most, of 8\n"
         "   GPU        none found\n"
         "   Limit      Nothing that was measured was at its limit for long.\n"
         "   Ask for    ",
         "a plain run");
    u->max_ram.combined.total_rss.source = GPUT_SAMPLED;
    u->limits.memory_cgroup = u->limits.memory_effective = exact(4e9);
    says(u, "2.00 GB at most (as sampled), 50 % of its limit of 4.00 GB\n",
         "a peak that may be higher, and the job's own limit");
    u->max_ram.combined.total_rss = exact(1e6);
    says(u, "1.00 MB at most, less than 0.1 % of its limit of 4.00 GB\n", "little is not nothing");
    u->max_ram.combined.total_rss.source = GPUT_UNAVAILABLE;
    u->cpu_utilization.combined.mean_sum_percent.source = GPUT_UNAVAILABLE;
    says(u, "   Memory     not known\n   CPU        not known\n", "unknown is not zero");
    u->job.command = NULL;
    u->job.pid = 4711;
    says(u, "process 4711:\n", "a process that was there before");
    u->job.command = "a command\033[2J that is longer than the terminal is wide";
    says(u, "a command\\x1b[2J that is long…:\n", "a long command is cut, and steers no terminal");
}

static void with_gpus(void)
{
    struct gput__run run = a_run();
    struct gput_usage *u = &run.usage;

    u->gpu_utilization.system_gpu_count = u->gpu_utilization.n_expected_gpus = exact(2);
    u->max_gpu_ram.combined = exact(8e9);
    u->max_gpu_ram.system_capacity = exact(160e9);
    says(u, "   GPU        how busy is not known, of 2 GPUs\n", "a driver that does not tell");
    u->gpu_utilization.gpu_percentages.mean_hardware_percent = exact(41);
    u->gpu_utilization.gpu_percentages.max_hardware_percent = exact(98);
    says(u,
         "   GPU        41 % busy on average, 98 % at most, of 2 GPUs\n"
         "   GPU memory 8.00 GB at most, 5.0 % of the GPUs' 160 GB\n",
         "two GPUs");
}

static void who_used_most(void)
{
    struct gput__run run = a_run();
    struct gput_usage *u = &run.usage;
    struct gput_process_group groups[] = {
        { .name = "cc1", .count = exact(227), .cpu_seconds = exact(8.6), .max_rss = exact(70.2e6) },
        { .name = "make\033[2J",
          .count = exact(1),
          .cpu_seconds = exact(1.2),
          .max_rss = exact(3e6) },
        { .name = "others", .count = exact(0), .cpu_seconds = exact(0.2) },
    };
    char *text = NULL;

    u->processes.groups = groups;
    u->processes.n_groups = 3;
    says(u,
         "\n   Used most  cc1, 227 processes: 86 % of the CPU time, 70.2 MB the largest\n   Limit",
         "the heaviest command of several");
    groups[0] = groups[1];
    groups[0].gpu_ram = exact(8e9);
    says(u, "   Used most  make\\x1b[2J: 46 % of the CPU time, 3.00 MB, 8.00 GB on GPUs\n",
         "a single process, with a GPU; nothing of its name steers a terminal");
    u->processes.n_groups = 1;
    OK(gput_usage_summary(u, 80, 0, &text) == 0 && !strstr(text, "Used most"),
       "of a single command nobody has to be told");
    free(text);
}

static void ends(void)
{
    struct gput__run run = a_run();
    struct gput_usage *u = &run.usage;
    char *text = NULL;

    u->job.code = 3;
    says(u, "   exited with 3 after 1 min\n", "a run that failed");
    OK(gput_usage_summary(u, 80, 0, &text) == 0 && !strstr(text, "Ask for"),
       "tells not what the next one needs");
    free(text);
    u->job.ending = GPUT_SIGNALED;
    u->job.code = SIGKILL;
    u->job.oom = GPUT_OOM_YES;
    says(u, "   killed for memory after 1 min\n", "but one that had too little memory");
    says(u, "   Ask for    ", "does");
}

int main(void)
{
    without_a_gpu();
    with_gpus();
    who_used_most();
    ends();
    return DONE();
}
