/* test_layout.c - where the members of public structs are: a program built against an older header
 * finds each where it was.
 *
 * A new member takes the place of what is `reserved` in its group, and nothing here changes; a new group
 * gets a line at the end.  Where one of these fails, members have moved. */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "gput.h"
#include "tap.h"

/* Those of other machines have pointers of another size. */
#if defined(__LP64__)

#define AT(member, n)                                                                              \
    _Static_assert(offsetof(struct gput_usage, member) == (n), #member " has moved")
#define SIZE(what, n) _Static_assert(sizeof(what) == (n), #what " has another size")

SIZE(struct gput_figure, 24);
SIZE(struct gput_rss, 72);
SIZE(struct gput_percentages, 96);
SIZE(struct gput_gpu, 872);
SIZE(struct gput_gpu_process, 184);
SIZE(struct gput_callbacks, 24);

AT(ram_unit, 8);
AT(max_ram, 32);
AT(max_gpu_ram, 392);
AT(cpu_utilization, 608);
AT(gpu_utilization, 1304);
AT(compute_time, 1640);
AT(job, 1736);
AT(totals, 1832);
AT(gpu, 2480);
AT(limits, 2592);
AT(tracker, 2880);
AT(machine, 3152);
AT(cgroup, 3752);
AT(ram_bounds, 4272);

/* The last members of groups: none has moved inside one either. */
AT(max_ram.combined, 224);
AT(max_gpu_ram.combined, 488);
AT(cpu_utilization.combined_n_threads, 1088);
AT(gpu_utilization.gpu_percentages, 1352);
AT(job.n_left, 1764);
AT(totals.disk_write_bytes, 2072);
AT(totals.max_swap, 2120);
AT(gpu.n_processes, 2520);
AT(limits.cores_effective, 2736);
AT(tracker.process_events, 3000);
AT(machine.disk_space_free, 3344);
AT(cgroup.oom_kills, 4056);
AT(ram_bounds.combined_at_most, 4344);
_Static_assert(offsetof(struct gput_gpu, throttled) == 288, "throttled has moved");
_Static_assert(offsetof(struct gput_gpu_process, mean_utilization) == 64, "it has moved");
_Static_assert(offsetof(struct gput_options, metadata_url) == 168, "it has moved");

#endif

/* A program whose header ends before the last groups. */
static void an_older_caller(void)
{
    struct gput_usage u = { .size = offsetof(struct gput_usage, machine),
                            .ram_unit = "bytes",
                            .gpu_ram_unit = "bytes",
                            .time_unit = "seconds" };
    char *text = NULL;

    u.totals.max_open_files = (struct gput_figure){ 12, GPUT_EXACT, NULL };
    u.machine.max_n_processes = (struct gput_figure){ 13, GPUT_EXACT, NULL };
    OK(gput_usage_format(&u, GPUT_JSON, 1, &text) == 0 && strstr(text, "\"max_open_files\": 12") &&
           !strstr(text, ": 13"),
       "what it knows is shown, and what lies behind that is not even read");
    free(text);
}

int main(void)
{
    an_older_caller();
    return DONE();
}
