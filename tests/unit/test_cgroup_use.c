/* test_cgroup_use.c - what control groups have used, versions 1 and 2, on text and on files. */
#include "source/cgroup/cgroup_use.h"

#include <string.h>

#include "fixture.h"
#include "source/cgroup/cgroup_throttle.h"
#include "tap.h"

static bool is(const struct gput__cgroup_use *u, enum gput__cgroup_value v, uint64_t want)
{
    return gput__cgroup_knows(u, v) && u->value[v] == want;
}

/* --- text ----------------------------------------------------------------------------------- */

static void cpu(void)
{
    struct gput__cgroup_use u = { 0 };

    gput__cgroup_parse_cpu_stat("usage_usec 5000\nuser_usec 3000\nsystem_usec 2000\nnice_usec 7\n",
                                &u);
    OK(is(&u, GPUT__CGROUP_CPU_NS, 5000000) && is(&u, GPUT__CGROUP_USER_NS, 3000000) &&
           is(&u, GPUT__CGROUP_SYSTEM_NS, 2000000),
       "cpu.stat");
    u = (struct gput__cgroup_use){ 0 };
    gput__cgroup_parse_cpu_stat("usage_usec 18446744073709551615\nuser_usec x\nnr_periods 1\n", &u);
    OK(u.known == 0, "too large, no number, not there: not known");
    gput__cgroup_parse_cpuacct_stat("user 3\nsystem 1\n", &u);
    OK(u.known == 0, "parts of what is not known");
    gput__cgroup_parse_cpuacct_usage("4000000123\n", &u);
    gput__cgroup_parse_cpuacct_stat("user 300\nsystem 100\n", &u);
    OK(is(&u, GPUT__CGROUP_CPU_NS, 4000000123) && is(&u, GPUT__CGROUP_USER_NS, 3000000092) &&
           u.value[GPUT__CGROUP_USER_NS] + u.value[GPUT__CGROUP_SYSTEM_NS] == 4000000123,
       "version 1: the ticks divide the nanoseconds");
    gput__cgroup_parse_cpuacct_stat("user 0\nsystem 0\n", &u);
    OK(u.value[GPUT__CGROUP_USER_NS] + u.value[GPUT__CGROUP_SYSTEM_NS] == 4000000123,
       "less than a tick: half and half");
}

static void throttling(void)
{
    struct gput__throttled t = { .periods = 77 };

    OK(gput__throttled_parse("usage_usec 5\nnr_periods 30\nnr_throttled 29\nthrottled_usec 2013\n",
                             &t) == 0 &&
           t.periods == 30 && t.held_back == 29 && t.ns == 2013000,
       "cpu.stat of a quota, version 2");
    OK(gput__throttled_parse("nr_periods 3\nnr_throttled 2\nthrottled_time 14\n", &t) == 0 &&
           t.periods == 3 && t.held_back == 2 && t.ns == 14,
       "version 1");
    OK(gput__throttled_parse("usage_usec 5\n", &t) < 0 &&
           gput__throttled_parse("nr_periods 1\nnr_throttled 1\nthrottled_usec "
                                 "18446744073709551615\n",
                                 &t) < 0 &&
           t.ns == 14,
       "without a quota, and too much: refused");
}

static void pressure(void)
{
    struct fixture f;
    struct gput__cgroup_place place = { .version = 2 };
    struct gput__cgroup_files files;
    struct gput__cgroup_use u = { 0 };

    fixture_begin(&f);
    fixture_write(&f, "fs/cgroup/job/cpu.pressure", "some avg10=0.00 total=5\nfull total=4\n");
    fixture_write(&f, "fs/cgroup/job/memory.pressure", "some avg10=0.00 total=7\nfull total=6\n");
    fixture_write(&f, "fs/cgroup/job/io.pressure", "some avg10=0.00 total=9\n");
    strcpy(place.folder[GPUT__CGROUP_PRESSURE], "fs/cgroup/job");
    gput__cgroup_files_begin(&files, &f.root, &place);
    gput__cgroup_files_read(&files, GPUT__CGROUP_POLL, &u);
    OK(u.known == 0, "it is read at records");
    gput__cgroup_files_read(&files, GPUT__CGROUP_RECORD, &u);
    OK(is(&u, GPUT__CGROUP_CPU_SOME_US, 5) && is(&u, GPUT__CGROUP_CPU_FULL_US, 4) &&
           is(&u, GPUT__CGROUP_MEMORY_SOME_US, 7) && is(&u, GPUT__CGROUP_MEMORY_FULL_US, 6) &&
           is(&u, GPUT__CGROUP_IO_SOME_US, 9) && !gput__cgroup_knows(&u, GPUT__CGROUP_IO_FULL_US),
       "pressure of a group");
    gput__cgroup_files_close(&files);
    fixture_end(&f);
}

static void memory(void)
{
    struct gput__cgroup_use u = { 0 };

    gput__cgroup_parse_memory_stat("anon 11\nfile 22\nshmem 33\nfile_mapped 44\nanon_thp 5\n", &u);
    OK(is(&u, GPUT__CGROUP_ANON, 11) && is(&u, GPUT__CGROUP_SHMEM, 33) &&
           is(&u, GPUT__CGROUP_MAPPED_FILE, 44),
       "memory.stat, version 2");
    u = (struct gput__cgroup_use){ 0 };
    gput__cgroup_parse_memory_stat(
        "cache 9\nrss 1\nrss_huge 0\nshmem 2\nmapped_file 3\ntotal_cache 99\n"
        "total_rss 10\ntotal_shmem 20\ntotal_mapped_file 30\n",
        &u);
    OK(is(&u, GPUT__CGROUP_ANON, 10) && is(&u, GPUT__CGROUP_SHMEM, 20) &&
           is(&u, GPUT__CGROUP_MAPPED_FILE, 30),
       "version 1: with the groups below");
    u = (struct gput__cgroup_use){ 0 };
    gput__cgroup_parse_memory_stat("cache 9\nrss 1\nmapped_file 3\n", &u);
    OK(is(&u, GPUT__CGROUP_ANON, 1) && !gput__cgroup_knows(&u, GPUT__CGROUP_SHMEM) &&
           is(&u, GPUT__CGROUP_MAPPED_FILE, 3),
       "an old kernel: what it tells");
    u = (struct gput__cgroup_use){ 0 };
    gput__cgroup_parse_memory_stat("", &u);
    OK(u.known == 0, "an empty file tells nothing");
}

static bool is_253(const void *ctx, const char *device)
{
    (void)ctx;
    return strcmp(device, "253:0") == 0;
}

static void disks(void)
{
    static const struct gput__cgroup_disks all = { NULL, NULL }, some = { is_253, NULL };
    static const char v2[] = "8:0 rbytes=100 wbytes=200 rios=3 wios=4 dbytes=9 dios=9\n"
                             "253:0 rbytes=100 wbytes=200 rios=3 wios=4 dbytes=9 dios=9\n"
                             "8:16 \n"
                             "259:1 wbytes=7\n";
    static const char v1[] = "8:0 Read 10\n8:0 Write 20\n8:0 Sync 5\n8:0 Total 30\n"
                             "253:0 Read 10\n253:0 Write 20\nTotal 60\n";
    struct gput__cgroup_use u = { 0 };

    gput__cgroup_parse_io_stat(v2, &all, &u);
    OK(is(&u, GPUT__CGROUP_READ_BYTES, 200) && is(&u, GPUT__CGROUP_WRITTEN_BYTES, 407), "io.stat");
    gput__cgroup_parse_io_stat(v2, &some, &u);
    OK(is(&u, GPUT__CGROUP_READ_BYTES, 100) && is(&u, GPUT__CGROUP_WRITTEN_BYTES, 207),
       "what sits on others is left out");
    gput__cgroup_parse_io_stat("", &all, &u);
    OK(is(&u, GPUT__CGROUP_READ_BYTES, 0) && is(&u, GPUT__CGROUP_WRITTEN_BYTES, 0),
       "nothing is none");
    gput__cgroup_parse_io_stat("8:0 rbytes=-1 wbytes=9x\nrbytes=5\n8:1 xrbytes=6\n", &all, &u);
    OK(is(&u, GPUT__CGROUP_READ_BYTES, 0) && is(&u, GPUT__CGROUP_WRITTEN_BYTES, 0), "odd words");
    gput__cgroup_parse_io_stat("8:0 rbytes=18446744073709551615\n8:1 rbytes=18446744073709551615\n",
                               &all, &u);
    OK(is(&u, GPUT__CGROUP_READ_BYTES, UINT64_MAX), "no sum runs over");
    gput__cgroup_parse_blkio(v1, &all, &u);
    OK(is(&u, GPUT__CGROUP_READ_BYTES, 20) && is(&u, GPUT__CGROUP_WRITTEN_BYTES, 40), "blkio");
    gput__cgroup_parse_blkio(v1, &some, &u);
    OK(is(&u, GPUT__CGROUP_READ_BYTES, 10) && is(&u, GPUT__CGROUP_WRITTEN_BYTES, 20), "of some");
    gput__cgroup_parse_blkio("Total 0\n", &all, &u);
    OK(is(&u, GPUT__CGROUP_READ_BYTES, 0), "none");
}

/* --- files ---------------------------------------------------------------------------------- */

struct roots {
    struct fixture proc, sys;
    struct gput__cgroup_place place;
    struct gput__cgroup_files files;
};

static void begin(struct roots *r, const char *membership)
{
    fixture_begin(&r->proc);
    fixture_begin(&r->sys);
    fixture_write(&r->proc, "self/cgroup", membership);
}

static void find(struct roots *r)
{
    gput__cgroup_find(&r->proc.root, &r->sys.root, 0, &r->place);
    gput__cgroup_files_begin(&r->files, &r->sys.root, &r->place);
}

static void end(struct roots *r)
{
    gput__cgroup_files_close(&r->files);
    fixture_end(&r->proc);
    fixture_end(&r->sys);
}

static void version_2(void)
{
    struct gput__cgroup_use u = { 0 };
    struct roots r;

    begin(&r, "0::/job/step\n");
    fixture_write(&r.sys, "fs/cgroup/cgroup.controllers", "cpu io memory pids\n");
    fixture_write(&r.sys, "fs/cgroup/job/step/cgroup.procs", "1\n");
    fixture_write(&r.sys, "fs/cgroup/job/step/cpu.stat",
                  "usage_usec 7\nuser_usec 4\nsystem_usec 3\n");
    fixture_write(&r.sys, "fs/cgroup/job/step/memory.stat", "anon 1\nshmem 2\nfile_mapped 3\n");
    fixture_write(&r.sys, "fs/cgroup/job/step/memory.peak", "77\n");
    fixture_write(&r.sys, "fs/cgroup/job/step/memory.events", "oom 5\noom_kill 4\n");
    fixture_write(&r.sys, "fs/cgroup/job/step/pids.current", "6\n");
    fixture_write(&r.sys, "fs/cgroup/job/step/pids.peak", "8\n");
    fixture_write(&r.sys, "fs/cgroup/job/step/io.stat",
                  "8:0 rbytes=1 wbytes=2\n253:0 rbytes=1 wbytes=2\n7:0 rbytes=1 wbytes=2\n");
    fixture_write(&r.sys, "dev/block/253:0/slaves/sda", "");
    find(&r);
    OK(r.place.version == 2 && !strcmp(gput__cgroup_name(&r.place), "/job/step"), "version 2");
    gput__cgroup_files_read(&r.files, GPUT__CGROUP_POLL, &u);
    OK(is(&u, GPUT__CGROUP_ANON, 1) && is(&u, GPUT__CGROUP_N_TASKS, 6) &&
           !gput__cgroup_knows(&u, GPUT__CGROUP_CPU_NS),
       "a poll reads memory and tasks");
    gput__cgroup_files_read(&r.files, GPUT__CGROUP_RECORD, &u);
    OK(is(&u, GPUT__CGROUP_CPU_NS, 7000) && !gput__cgroup_knows(&u, GPUT__CGROUP_MEMORY_PEAK),
       "a record CPU time too");
    gput__cgroup_files_read(&r.files, GPUT__CGROUP_ALL, &u);
    OK(is(&u, GPUT__CGROUP_MEMORY_PEAK, 77) && is(&u, GPUT__CGROUP_OOM_KILLS, 4) &&
           is(&u, GPUT__CGROUP_TASKS_PEAK, 8) && is(&u, GPUT__CGROUP_READ_BYTES, 1) &&
           is(&u, GPUT__CGROUP_WRITTEN_BYTES, 2),
       "the rest; stacked disks and loops count once");
    end(&r);
}

static void version_1(void)
{
    struct gput__cgroup_use u = { 0 };
    struct roots r;

    begin(&r, "5:memory:/m/job\n4:cpu,cpuacct:/c\n3:pids:/\n2:blkio:/gone/away\n0::/\n");
    fixture_write(&r.sys, "fs/cgroup/unified/cgroup.controllers", "\n");
    fixture_write(&r.sys, "fs/cgroup/memory/m/job/cgroup.procs", "1\n");
    fixture_write(&r.sys, "fs/cgroup/memory/m/job/memory.stat", "rss 1\ntotal_rss 2\n");
    fixture_write(&r.sys, "fs/cgroup/memory/m/job/memory.max_usage_in_bytes", "55\n");
    fixture_write(&r.sys, "fs/cgroup/memory/m/job/memory.oom_control", "under_oom 0\noom_kill 1\n");
    fixture_write(&r.sys, "fs/cgroup/cpu,cpuacct/c/cgroup.procs", "1\n");
    fixture_write(&r.sys, "fs/cgroup/cpu,cpuacct/c/cpuacct.usage", "900\n");
    fixture_write(&r.sys, "fs/cgroup/cpu,cpuacct/c/cpuacct.stat", "user 1\nsystem 2\n");
    fixture_write(&r.sys, "fs/cgroup/blkio/cgroup.procs", "1\n");
    fixture_write(&r.sys, "fs/cgroup/blkio/blkio.throttle.io_service_bytes_recursive",
                  "8:0 Read 3\n8:0 Write 4\nTotal 7\n");
    find(&r);
    OK(r.place.version == 1 && !strcmp(gput__cgroup_name(&r.place), "/m/job"), "version 1");
    OK(!strcmp(r.place.folder[GPUT__CGROUP_CPU], "fs/cgroup/cpu,cpuacct/c"), "a mount of two");
    OK(!strcmp(r.place.folder[GPUT__CGROUP_IO], "fs/cgroup/blkio"),
       "a path that is not below the mount");
    OK(!*r.place.folder[GPUT__CGROUP_TASKS], "a controller that is not mounted");
    gput__cgroup_files_read(&r.files, GPUT__CGROUP_ALL, &u);
    OK(is(&u, GPUT__CGROUP_CPU_NS, 900) && is(&u, GPUT__CGROUP_USER_NS, 300) &&
           is(&u, GPUT__CGROUP_SYSTEM_NS, 600),
       "time");
    OK(is(&u, GPUT__CGROUP_ANON, 2) && is(&u, GPUT__CGROUP_MEMORY_PEAK, 55) &&
           is(&u, GPUT__CGROUP_OOM_KILLS, 1),
       "memory");
    OK(is(&u, GPUT__CGROUP_READ_BYTES, 3) && is(&u, GPUT__CGROUP_WRITTEN_BYTES, 4), "bytes");
    OK(!gput__cgroup_knows(&u, GPUT__CGROUP_N_TASKS), "what is not there is not known");
    end(&r);
}

static void none(void)
{
    struct gput__cgroup_use u = { 0 };
    struct roots r;

    begin(&r, "0::/job\n");
    find(&r);
    gput__cgroup_files_read(&r.files, GPUT__CGROUP_ALL, &u);
    OK(r.place.version == 0 && u.known == 0, "nothing is mounted");
    end(&r);
    begin(&r, "0::/../outside\n");
    fixture_write(&r.sys, "fs/cgroup/cgroup.controllers", "cpu io memory pids\n");
    fixture_write(&r.sys, "fs/cgroup/cgroup.procs", "1\n");
    find(&r);
    OK(r.place.version == 0, "a group outside of our namespace");
    end(&r);
}

/* --- members -------------------------------------------------------------------------------- */

static void add(void *ctx, pid_t pid)
{
    *(pid_t *)ctx += pid;
}

static void members(void)
{
    char many[20000] = "";
    struct roots r;
    pid_t sum = 0;

    begin(&r, "");
    fixture_write(&r.sys, "g/cgroup.procs", "5\n70\n300\n");
    OK(gput__cgroup_members(&r.sys.root, "g", add, &sum) == 0 && sum == 375, "who is in it");
    sum = 0;
    fixture_write(&r.sys, "g/cgroup.procs", "");
    OK(gput__cgroup_members(&r.sys.root, "g", add, &sum) == 0 && sum == 0, "nobody");
    fixture_write(&r.sys, "g/cgroup.procs", "5\n0\n7\n");
    OK(gput__cgroup_members(&r.sys.root, "g", add, &sum) < 0 && sum == 12,
       "one of another pid namespace");
    OK(gput__cgroup_members(&r.sys.root, "no", add, &sum) < 0, "no such group");
    for (int i = 0; i < 3000; i++)
        strcat(many, "10000\n");
    sum = 0;
    fixture_write(&r.sys, "g/cgroup.procs", many);
    OK(gput__cgroup_members(&r.sys.root, "g", add, &sum) == 0 && sum == 30000000, "thousands");
    r.files.sys = NULL;
    end(&r);
}

int main(void)
{
    cpu();
    throttling();
    pressure();
    memory();
    disks();
    version_2();
    version_1();
    none();
    members();
    return DONE();
}
