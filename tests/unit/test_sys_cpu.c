/* test_sys_cpu.c - CPU time and cores of the machine, from /proc/stat. */
#include "source/machine/sys_cpu.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "shown.h"
#include "tap.h"

static const char stat_text[] = "cpu  1 20 300 4000 50000 600000 7000000 80000000 900000000 0\n"
                                "cpu0 1 10 150 2000 25000 300000 3500000 40000000 450000000 0\n"
                                "cpu1 0 10 150 2000 25000 300000 3500000 40000000 450000000 0\n"
                                "intr 81 0 9 0\nctxt 1234\nbtime 1700000000\nprocesses 99\n"
                                "cpufreq 1\nsoftirq 5 1 2\n";

static void busy_time(void)
{
    struct gput__sys_cpu cpu = { 0 };

    OK(gput__sys_cpu_parse(stat_text, &cpu) == 0 && cpu.busy == 7600321,
       "user, nice, system, irq, softirq; not idle, iowait, steal, guest");
    OK(cpu.user == 21 && cpu.kernel == 300, "user is user and nice, kernel is system alone");
    OK(gput__sys_cpu_parse("cpu 1 2 3 4 5 6 7", &cpu) == 0 && cpu.busy == 1 + 2 + 3 + 6 + 7 &&
           cpu.user == 3 && cpu.kernel == 3,
       "seven columns are enough");
}

static void core_by_core(void)
{
    static const char cut[] = "cpu3 1 2 3 4 5 6 7 8 9 0";
    char text[sizeof(cut)] = "";
    struct gput__sys_core core;
    const char *p = stat_text;
    unsigned n = 0;

    OK(gput__sys_cpu_next_core(&p, &core) && core.id == 0 &&
           core.busy == 1 + 10 + 150 + 300000 + 3500000 &&
           core.all == core.busy + 2000 + 25000 + 40000000,
       "the first core: stolen time is of its time, that of guests is in user");
    OK(gput__sys_cpu_next_core(&p, &core) && core.id == 1, "the second");
    OK(!gput__sys_cpu_next_core(&p, &core), "there is no third, and no \"cpufreq\"");
    p = "cpu0 1 2 3 4 5 6 7\ncpu1 1 2\ncpu2 1 2 3 4 5 6 7 8\n";
    OK(gput__sys_cpu_next_core(&p, &core) && core.all == 28 && gput__sys_cpu_next_core(&p, &core) &&
           core.id == 2,
       "an old kernel tells of nothing stolen; too short a line is left out");
    for (size_t i = 0; i < sizeof(cut) - 1; i++) {
        p = text;
        n += gput__sys_cpu_next_core(&p, &core);
        text[i] = cut[i];
    }
    OK(n == 0, "a line without its end is none");
}

static void what_was_stolen(void)
{
    struct gput__sys_cpu then = { .busy = 100, .stolen = 7 }, now = { .busy = 190, .stolen = 17 };

    OK(gput__sys_cpu_parse("cpu 1 2 3 4 5 6 7 8 9 10\n", &then) == 0 && then.stolen == 8,
       "stolen by the hypervisor");
    OK(gput__sys_cpu_parse("cpu 1 2 3 4 5 6 7\n", &then) == 0 && then.stolen == 0,
       "an old kernel tells nothing of that");
    then = (struct gput__sys_cpu){ .busy = 100, .stolen = 7 };
    OK(fabs(gput__sys_cpu_stolen(&then, &now) - 0.1) < 1e-9, "a tenth of 100 ticks");
    OK(gput__sys_cpu_stolen(&now, &now) == 0 && gput__sys_cpu_stolen(&now, &then) == 0,
       "nothing between a moment and itself, and where the counts go back");
}

static void refused(const char *text)
{
    struct gput__sys_cpu cpu = { 97, 98, 99, 100 };

    OK(gput__sys_cpu_parse(text, &cpu) == -EBADMSG && cpu.busy == 97 && cpu.user == 98 &&
           cpu.kernel == 99,
       "<%s> is refused", shown(text));
}

static void cores(void)
{
    OK(gput__sys_cpu_count(stat_text) == 2, "two cores; a key that begins so is none");
    OK(gput__sys_cpu_count("cpu  1 2 3\n") == 0, "no line per core");
    OK(gput__sys_cpu_count("") == 0, "no text");
    OK(gput__sys_cpu_count("cpu  1\ncpu0 1\ncpu2 1\ncpu130 1") == 3,
       "cores that are off leave gaps");
}

int main(void)
{
    busy_time();
    core_by_core();
    what_was_stolen();
    refused("");
    refused("c");
    refused("cpu");
    refused("cpu ");
    refused("cpu0 1 2 3 4 5 6 7 8\n");
    refused("cpus 1 2 3 4 5 6 7 8\n");
    refused("cpu 1 2 3 4 5 6\n7 8\n");
    refused("cpu 1 2 x 4 5 6 7\n");
    refused("cpu -1 2 3 4 5 6 7\n");
    cores();
    return DONE();
}
