/* test_cgroup.c - limits of control groups, read below roots that the test makes. */
#include "source/cgroup/cgroup.h"

#include <errno.h>
#include <string.h>

#include "fixture.h"
#include "tap.h"

/* --- the path in /proc/PID/cgroup ----------------------------------------------------------- */

static void path_is(const char *text, const char *controller, const char *want)
{
    size_t len = 0;
    const char *path = gput__cgroup_path(text, controller, &len);

    OK(want ? path && len == strlen(want) && !strncmp(path, want, len) : !path,
       "the path of '%s' is %s", controller, want ? want : "nowhere");
}

static void paths(void)
{
    static const char v1[] = "12:cpu,cpuacct:/job 1\n11:memory:/batch/job:2\n10:cpuset:/sets\n"
                             "1:name=systemd:/system\n0::/unified\n";

    path_is(v1, "memory", "/batch/job:2");
    path_is(v1, "cpu", "/job 1");
    path_is(v1, "cpuacct", "/job 1");
    path_is(v1, "cpuset", "/sets");
    path_is(v1, "", "/unified");
    path_is(v1, "mem", NULL);
    path_is(v1, "memory2", NULL);
    path_is(v1, "cpu,cpuacct", NULL);
    path_is("0::/\n", "", "/");
    path_is("0::/a", "", "/a");
    path_is("1:name=systemd:/system\n", "", NULL);
    path_is("4:memory:/\n", "", NULL);
    path_is("", "", NULL);
    path_is("\n", "memory", NULL);
    path_is("0:", "", NULL);
    path_is("no colon at all\n", "", NULL);
}

/* --- limits --------------------------------------------------------------------------------- */

struct roots {
    struct fixture proc, sys;
};

static void begin(struct roots *r, const char *cgroup)
{
    fixture_begin(&r->proc);
    fixture_begin(&r->sys);
    fixture_write(&r->proc, "42/cgroup", cgroup);
}

static struct gput__cgroup end(struct roots *r)
{
    struct gput__cgroup c = { .version = 9, .has_cpu_limit = true };

    gput__cgroup_read(&r->proc.root, &r->sys.root, 42, &c);
    fixture_end(&r->proc);
    fixture_end(&r->sys);
    return c;
}

static void v2_with_limits_above(void)
{
    struct roots r;
    struct gput__cgroup c;

    begin(&r, "0::/batch/user/job\n");
    fixture_write(&r.sys, "fs/cgroup/cgroup.controllers", "cpu memory\n");
    fixture_write(&r.sys, "fs/cgroup/batch/memory.max", "4000000\n");
    fixture_write(&r.sys, "fs/cgroup/batch/cpu.max", "max 100000\n");
    fixture_write(&r.sys, "fs/cgroup/batch/memory.events", "oom 9\noom_kill 9\n");
    fixture_write(&r.sys, "fs/cgroup/batch/user/memory.max", "max\n");
    fixture_write(&r.sys, "fs/cgroup/batch/user/cpu.max", "150000 100000\n");
    fixture_write(&r.sys, "fs/cgroup/batch/user/job/memory.max", "8000000\n");
    fixture_write(&r.sys, "fs/cgroup/batch/user/job/cpu.max", "400000 100000\n");
    fixture_write(&r.sys, "fs/cgroup/batch/user/job/memory.events",
                  "low 0\nhigh 0\nmax 5\noom 3\noom_kill 2\noom_group_kill 7\n");
    c = end(&r);
    OK(c.version == 2, "version 2");
    OK(c.has_memory_limit && c.memory_limit == 4000000, "the least limit, an ancestor's");
    OK(c.has_cpu_limit && c.cpu_limit == 1.5, "likewise of cores");
    OK(c.has_oom_kills && c.oom_kills == 2, "kills are the group's own");
}

static void v2_without_limits(void)
{
    struct roots r;
    struct gput__cgroup c;

    begin(&r, "0::/job\n");
    fixture_write(&r.sys, "fs/cgroup/cgroup.controllers", "cpu memory\n");
    fixture_write(&r.sys, "fs/cgroup/job/memory.max", "max\n");
    fixture_write(&r.sys, "fs/cgroup/job/cpu.max", "max 100000\n");
    fixture_write(&r.sys, "fs/cgroup/job/memory.events", "oom_kill 0\n");
    c = end(&r);
    OK(c.version == 2 && !c.has_memory_limit && !c.has_cpu_limit, "max is no limit");
    OK(c.has_oom_kills && c.oom_kills == 0, "no kills is an answer");
}

static void v2_root_group(void)
{
    struct roots r;
    struct gput__cgroup c;

    begin(&r, "0::/\n");
    fixture_write(&r.sys, "fs/cgroup/cgroup.controllers", "cpu memory\n");
    c = end(&r);
    OK(c.version == 2 && !c.has_memory_limit && !c.has_cpu_limit && !c.has_oom_kills,
       "the root group has no such files");
}

/* The path is the host's, the mount shows the container's group as its root. */
static void v2_container(void)
{
    struct roots r;
    struct gput__cgroup c;

    begin(&r, "0::/system.slice/containers/0123456789abcdef\n");
    fixture_write(&r.sys, "fs/cgroup/cgroup.controllers", "cpu memory\n");
    fixture_write(&r.sys, "fs/cgroup/memory.max", "5000000\n");
    fixture_write(&r.sys, "fs/cgroup/cpu.max", "50000 100000\n");
    fixture_write(&r.sys, "fs/cgroup/memory.events", "oom_kill 4\n");
    c = end(&r);
    OK(c.version == 2 && c.memory_limit == 5000000 && c.cpu_limit == 0.5 && c.oom_kills == 4,
       "a path that is not below the mount: the mount's own limits");
    OK(!strcmp(c.cpu_folder, "fs/cgroup"), "the group with the quota: %s", c.cpu_folder);
}

static void v1_with_limits(void)
{
    struct roots r;
    struct gput__cgroup c;

    begin(&r, "5:memory:/slurm/job\n4:cpu,cpuacct:/slurm/job\n");
    fixture_write(&r.sys, "fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
    fixture_write(&r.sys, "fs/cgroup/memory/slurm/memory.limit_in_bytes", "6000000\n");
    fixture_write(&r.sys, "fs/cgroup/memory/slurm/job/memory.limit_in_bytes", "7000000\n");
    fixture_write(&r.sys, "fs/cgroup/memory/slurm/job/memory.oom_control",
                  "oom_kill_disable 0\nunder_oom 0\noom_kill 3\n");
    fixture_write(&r.sys, "fs/cgroup/cpu,cpuacct/cpu.shares", "1024\n");
    fixture_write(&r.sys, "fs/cgroup/cpu,cpuacct/slurm/cpu.cfs_quota_us", "-1\n");
    fixture_write(&r.sys, "fs/cgroup/cpu,cpuacct/slurm/cpu.cfs_period_us", "100000\n");
    fixture_write(&r.sys, "fs/cgroup/cpu,cpuacct/slurm/job/cpu.cfs_quota_us", "250000\n");
    fixture_write(&r.sys, "fs/cgroup/cpu,cpuacct/slurm/job/cpu.cfs_period_us", "100000\n");
    c = end(&r);
    OK(c.version == 1 && c.has_memory_limit && c.memory_limit == 6000000, "version 1: memory");
    OK(c.has_cpu_limit && c.cpu_limit == 2.5, "cores");
    OK(!strcmp(c.cpu_folder, "fs/cgroup/cpu,cpuacct/slurm/job"), "the group that sets them: %s",
       c.cpu_folder);
    OK(c.has_oom_kills && c.oom_kills == 3, "kills");
}

static void v1_without_limits(void)
{
    struct roots r;
    struct gput__cgroup c;

    begin(&r, "5:memory:/job\n4:cpu:/job\n");
    fixture_write(&r.sys, "fs/cgroup/memory/job/memory.limit_in_bytes", "9223372036854771712\n");
    fixture_write(&r.sys, "fs/cgroup/memory/job/memory.oom_control",
                  "oom_kill_disable 0\nunder_oom 0\n");
    fixture_write(&r.sys, "fs/cgroup/cpu/cpu.shares", "1024\n");
    fixture_write(&r.sys, "fs/cgroup/cpu/job/cpu.cfs_quota_us", "-1\n");
    fixture_write(&r.sys, "fs/cgroup/cpu/job/cpu.cfs_period_us", "100000\n");
    c = end(&r);
    OK(c.version == 1 && !c.has_memory_limit && !c.has_cpu_limit, "unlimited is no limit");
    OK(!c.cpu_folder[0], "and no group sets one");
    OK(!c.has_oom_kills, "before Linux 4.13 kills are not counted");
}

static void v1_cpu_mounts(void)
{
    struct roots r;
    struct gput__cgroup c;

    begin(&r, "4:cpu:/job\n");
    fixture_write(&r.sys, "fs/cgroup/cpu/cpu.shares", "1024\n");
    fixture_write(&r.sys, "fs/cgroup/cpu/job/cpu.cfs_quota_us", "50000\n");
    fixture_write(&r.sys, "fs/cgroup/cpu/job/cpu.cfs_period_us", "200000\n");
    c = end(&r);
    OK(c.version == 0 && c.has_cpu_limit && c.cpu_limit == 0.25, "cpu on a mount of its own");
    begin(&r, "4:cpu:/job\n");
    fixture_write(&r.sys, "fs/cgroup/cpu/cpu.shares", "1024\n");
    fixture_write(&r.sys, "fs/cgroup/cpu/job/cpu.cfs_quota_us", "50000\n");
    fixture_write(&r.sys, "fs/cgroup/cpu/job/cpu.cfs_period_us", "0\n");
    c = end(&r);
    OK(!c.has_cpu_limit, "a period of 0 limits nothing");
}

static void v1_container(void)
{
    struct roots r;
    struct gput__cgroup c;

    begin(&r, "4:memory:/docker/0123\n");
    fixture_write(&r.sys, "fs/cgroup/memory/memory.limit_in_bytes", "3000000\n");
    fixture_write(&r.sys, "fs/cgroup/memory/memory.oom_control", "oom_kill 1\n");
    c = end(&r);
    OK(c.version == 1 && c.memory_limit == 3000000 && c.oom_kills == 1,
       "a path that is not below the mount, version 1");
}

/* systemd's hybrid: version 2 is mounted elsewhere and holds no controllers. */
static void hybrid(void)
{
    struct roots r;
    struct gput__cgroup c;

    begin(&r, "3:memory:/job\n1:name=systemd:/x\n0::/user\n");
    fixture_write(&r.sys, "fs/cgroup/unified/cgroup.controllers", "\n");
    fixture_write(&r.sys, "fs/cgroup/memory/job/memory.limit_in_bytes", "2000000\n");
    c = end(&r);
    OK(c.version == 1 && c.has_memory_limit && c.memory_limit == 2000000,
       "hybrid: the memory controller is version 1's");
}

static void none(void)
{
    struct roots r;
    struct gput__cgroup c = { .version = 9, .has_oom_kills = true };

    begin(&r, "0::/job\n");
    c = end(&r);
    OK(c.version == 0 && !c.has_memory_limit && !c.has_cpu_limit && !c.has_oom_kills,
       "nothing mounted");
    begin(&r, "");
    fixture_write(&r.sys, "fs/cgroup/cgroup.controllers", "cpu memory\n");
    fixture_write(&r.sys, "fs/cgroup/memory.max", "1\n");
    c = end(&r);
    OK(c.version == 0 && !c.has_memory_limit, "in no group");
    begin(&r, "0::/\n");
    fixture_write(&r.sys, "fs/cgroup/cgroup.controllers", "cpu memory\n");
    fixture_write(&r.sys, "fs/cgroup/memory.max", "1\n");
    fixture_write(&r.proc, "self/cgroup", "0::/\n");
    gput__cgroup_read(&r.proc.root, &r.sys.root, 43, &c);
    OK(c.version == 0 && !c.has_memory_limit, "no such process");
    gput__cgroup_read(&r.proc.root, &r.sys.root, 0, &c);
    OK(c.version == 2 && c.memory_limit == 1, "0 is oneself");
    gput__cgroup_read(&r.proc.root, &GPUT__ROOT_NONE, 42, &c);
    OK(c.version == 0, "no /sys");
    gput__cgroup_read(&GPUT__ROOT_NONE, &r.sys.root, 42, &c);
    OK(c.version == 0, "no /proc");
    (void)end(&r);
}

static void odd_values(void)
{
    struct roots r;
    struct gput__cgroup c;
    char deep[1500] = "0::";

    begin(&r, "0::/job\n");
    fixture_write(&r.sys, "fs/cgroup/cgroup.controllers", "cpu memory\n");
    fixture_write(&r.sys, "fs/cgroup/job/memory.max", "lots\n");
    fixture_write(&r.sys, "fs/cgroup/job/cpu.max", "100000\n");
    fixture_write(&r.sys, "fs/cgroup/job/memory.events", "");
    c = end(&r);
    OK(!c.has_memory_limit && !c.has_cpu_limit && !c.has_oom_kills, "words, halves and nothing");
    for (int i = 0; i < 60; i++)
        strcat(deep, "/aaaaaaaaaaaaaaaaaaa");
    strcat(deep, "\n");
    begin(&r, deep);
    fixture_write(&r.sys, "fs/cgroup/cgroup.controllers", "cpu memory\n");
    c = end(&r);
    OK(!c.has_memory_limit, "a path of 1200 bytes is skipped");
}

int main(void)
{
    paths();
    v2_with_limits_above();
    v2_without_limits();
    v2_root_group();
    v2_container();
    v1_with_limits();
    v1_without_limits();
    v1_cpu_mounts();
    v1_container();
    hybrid();
    none();
    odd_values();
    return DONE();
}
