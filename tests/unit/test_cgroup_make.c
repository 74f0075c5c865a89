/* test_cgroup_make.c - where a group for the job is made: on folders that stand for control groups.
 *
 * A plain folder does not fill itself with files as the kernel's do, so mkdirat() is wrapped: what it
 * makes gets those that the kernel would give. */
#include "source/cgroup/cgroup_make.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "fixture.h"
#include "tap.h"

int __real_mkdirat(int fd, const char *path, mode_t mode);
int __wrap_mkdirat(int fd, const char *path, mode_t mode);
int __real_unlinkat(int fd, const char *path, int flags);
int __wrap_unlinkat(int fd, const char *path, int flags);

static const char *fails_below; /* mkdir in this folder does, with: */
static int fails_with;
static bool gives_memory; /* a group below the own one gets the memory controller */

static void write_text(int fd, const char *folder, const char *file, const char *text)
{
    char path[2048];
    int out;

    snprintf(path, sizeof(path), "%s/%s", folder, file);
    out = openat(fd, path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    fixture_need(out >= 0 && write(out, text, strlen(text)) == (ssize_t)strlen(text), path);
    close(out);
}

int __wrap_mkdirat(int fd, const char *path, mode_t mode)
{
    bool is_own = strstr(path, "/own/") != NULL;

    if (fails_below && strstr(path, fails_below)) {
        errno = fails_with;
        return -1;
    }
    if (__real_mkdirat(fd, path, mode) < 0)
        return -1;
    write_text(fd, path, "cgroup.procs", "");
    if (!is_own || gives_memory)
        write_text(fd, path, "memory.stat", "anon 0\n");
    write_text(fd, path, "pids.max", "max\n");
    return 0;
}

/* The kernel removes a group with its files. */
int __wrap_unlinkat(int fd, const char *path, int flags)
{
    static const char *const files[] = { "cgroup.procs", "memory.stat", "pids.max" };
    char name[2048];

    for (size_t i = 0; (flags & AT_REMOVEDIR) && i < 3; i++) {
        snprintf(name, sizeof(name), "%s/%s", path, files[i]);
        (void)__real_unlinkat(fd, name, 0);
    }
    return __real_unlinkat(fd, path, flags);
}

static struct fixture proc, sys;

static void begin(const char *membership)
{
    fixture_begin(&proc);
    fixture_begin(&sys);
    fixture_write(&proc, "self/cgroup", membership);
    fails_below = NULL;
    gives_memory = false;
}

static void end(void)
{
    fixture_end(&proc);
    fixture_end(&sys);
}

static void begin_v2(void)
{
    begin("0::/slice/own\n");
    fixture_write(&sys, "fs/cgroup/cgroup.controllers", "memory pids\n");
    fixture_write(&sys, "fs/cgroup/slice/cgroup.procs", "");
    fixture_write(&sys, "fs/cgroup/slice/own/cgroup.procs", "1\n");
    fixture_write(&sys, "fs/cgroup/slice/own/cgroup.controllers", "memory cpu\n");
    fixture_write(&sys, "fs/cgroup/slice/own/cgroup.subtree_control", "");
    fixture_write(&sys, "fs/cgroup/slice/own/memory.max", "max\n");
    fixture_write(&sys, "fs/cgroup/slice/own/cpu.max", "max 100000\n");
    fixture_write(&sys, "fs/cgroup/slice/own/cpuset.cpus", "\n");
    fixture_write(&sys, "fs/cgroup/slice/own/pids.max", "100\n");
}

static bool is_below(const struct gput__cgroup_made *m, const char *folder)
{
    size_t n = strlen(folder);

    return !strncmp(m->place.folder[0], folder, n) &&
           !strncmp(m->place.folder[0] + n, "/gpu-tracker-", 13);
}

static void text_is(const char *file, const char *want, const char *what)
{
    char text[256] = "";

    (void)gput__root_read(&sys.root, file, text, sizeof(text));
    OK(!strcmp(text, want), "%s", what);
}

static void v2_below(void)
{
    struct gput__cgroup_made m;
    const char *why = NULL;

    begin_v2();
    gives_memory = true;
    OK(gput__cgroup_make(&proc.root, &sys.root, &m, &why) == 0 && m.place.version == 2 &&
           is_below(&m, "fs/cgroup/slice/own"),
       "below the own group");
    text_is("fs/cgroup/slice/own/cgroup.subtree_control", "+memory", "controllers are switched on");
    OK(gput__cgroup_enter(&m) == 0, "a process enters");
    OK(gput__cgroup_remove(&m) == 0 &&
           !gput__folder_has(sys.root.fd, "fs/cgroup/slice/own", "gpu-"),
       "it is removed");
    text_is("fs/cgroup/slice/own/cgroup.subtree_control", "-memory", "and they are switched off");
    OK(gput__cgroup_remove(&m) == 0, "once more is no fault");
    end();
}

static void v2_others_below(void)
{
    struct gput__cgroup_made m;
    const char *why = NULL;

    begin_v2();
    gives_memory = true;
    fixture_write(&sys, "fs/cgroup/slice/own/other/cgroup.procs", "");
    OK(gput__cgroup_make(&proc.root, &sys.root, &m, &why) == 0, "others are below the own group");
    text_is("fs/cgroup/slice/own/cgroup.subtree_control", "", "nothing is switched on for them");
    (void)gput__cgroup_remove(&m);
    end();
}

static void v2_beside(void)
{
    struct gput__cgroup_made m;
    const char *why = NULL;
    char file[1300];

    begin_v2();
    OK(gput__cgroup_make(&proc.root, &sys.root, &m, &why) == 0 && is_below(&m, "fs/cgroup/slice"),
       "no memory controller below: beside the own group");
    snprintf(file, sizeof(file), "%s/pids.max", m.place.folder[0]);
    text_is(file, "100\n", "with as many tasks as the own one may have");
    OK(!gput__folder_has(sys.root.fd, "fs/cgroup/slice/own", "gpu-"), "none stays below it");
    OK(gput__cgroup_remove(&m) == 0 && !gput__folder_has(sys.root.fd, "fs/cgroup/slice", "gpu-"),
       "it is removed");
    end();
    begin_v2();
    fixture_write(&sys, "fs/cgroup/slice/own/memory.max", "1000000\n");
    OK(gput__cgroup_make(&proc.root, &sys.root, &m, &why) == 0 &&
           is_below(&m, "fs/cgroup/slice/own"),
       "a limit must not be escaped: below, without memory");
    (void)gput__cgroup_remove(&m);
    end();
}

/* The outer tracker's group is to keep all of its job. */
static void v2_within_another(void)
{
    struct gput__cgroup_made m;
    const char *why = NULL;

    begin("0::/own/gpu-tracker-1-00ff\n");
    fixture_write(&sys, "fs/cgroup/cgroup.controllers", "memory pids\n");
    fixture_write(&sys, "fs/cgroup/own/cgroup.procs", "");
    fixture_write(&sys, "fs/cgroup/own/gpu-tracker-1-00ff/cgroup.procs", "1\n");
    OK(gput__cgroup_make(&proc.root, &sys.root, &m, &why) == 0 &&
           is_below(&m, "fs/cgroup/own/gpu-tracker-1-00ff"),
       "within another tracker's group: below it, whatever that lacks");
    (void)gput__cgroup_remove(&m);
    end();
}

static void v2_refused(void)
{
    struct gput__cgroup_made m;
    const char *why = NULL;

    begin_v2();
    fails_below = "slice";
    fails_with = EACCES;
    OK(gput__cgroup_make(&proc.root, &sys.root, &m, &why) == -EACCES && strstr(why, "root"),
       "not allowed: %s", why);
    OK(gput__cgroup_remove(&m) == 0, "there is nothing to remove");
    fails_with = EROFS;
    OK(gput__cgroup_make(&proc.root, &sys.root, &m, &why) == -EROFS && strstr(why, "read-only"),
       "read-only: %s", why);
    end();
    begin("0::/job\n");
    OK(gput__cgroup_make(&proc.root, &sys.root, &m, &why) == -ENODATA && strstr(why, "mounted"),
       "none: %s", why);
    end();
}

static void v1(void)
{
    struct gput__cgroup_made m;
    const char *why = NULL;

    begin("5:memory:/own\n4:cpuacct:/\n3:pids:/\n");
    fixture_write(&sys, "fs/cgroup/memory/own/cgroup.procs", "1\n");
    fixture_write(&sys, "fs/cgroup/memory/own/memory.use_hierarchy", "1\n");
    fixture_write(&sys, "fs/cgroup/cpuacct/cgroup.procs", "1\n");
    fixture_write(&sys, "fs/cgroup/pids/cgroup.procs", "1\n");
    fails_below = "pids";
    fails_with = EACCES;
    OK(gput__cgroup_make(&proc.root, &sys.root, &m, &why) == 0 && m.place.version == 1 &&
           *m.place.folder[GPUT__CGROUP_CPU] && *m.place.folder[GPUT__CGROUP_MEMORY] &&
           !*m.place.folder[GPUT__CGROUP_TASKS] && !*m.place.folder[GPUT__CGROUP_IO],
       "version 1: wherever it may");
    gput__cgroup_drop(&m, 1u << GPUT__CGROUP_MEMORY);
    OK(!*m.place.folder[GPUT__CGROUP_MEMORY] &&
           !gput__folder_has(sys.root.fd, "fs/cgroup/memory/own", "gpu-"),
       "one that nobody entered is dropped");
    OK(gput__cgroup_remove(&m) == 0 && !gput__folder_has(sys.root.fd, "fs/cgroup/cpuacct", "gpu-"),
       "the other is removed");
    fixture_write(&sys, "fs/cgroup/memory/own/memory.use_hierarchy", "0\n");
    OK(gput__cgroup_make(&proc.root, &sys.root, &m, &why) == 0 &&
           !*m.place.folder[GPUT__CGROUP_MEMORY],
       "not where the limits above would not hold");
    (void)gput__cgroup_remove(&m);
    end();
}

/* What a killed tracker left is removed, what a living one has is not. */
static void stale(void)
{
    struct gput__cgroup_made m;
    const char *why = NULL;
    char alive[64];

    begin("4:cpuacct:/\n");
    snprintf(alive, sizeof(alive), "fs/cgroup/cpuacct/gpu-tracker-%d-0123/cgroup.procs", getpid());
    fixture_write(&sys, "fs/cgroup/cpuacct/cgroup.procs", "1\n");
    fixture_write(&sys, "fs/cgroup/cpuacct/gpu-tracker-2147483647-0123/cgroup.procs", "");
    fixture_write(&sys, "fs/cgroup/cpuacct/gpu-tracker-x/cgroup.procs", "");
    fixture_write(&sys, alive, "");
    OK(gput__cgroup_make(&proc.root, &sys.root, &m, &why) == 0, "made");
    (void)gput__cgroup_remove(&m);
    OK(!gput__folder_has(sys.root.fd, "fs/cgroup/cpuacct", "gpu-tracker-2147483647"),
       "a dead one's");
    OK(gput__folder_has(sys.root.fd, "fs/cgroup/cpuacct", "gpu-tracker-x") &&
           gput__root_read(&sys.root, alive, (char[8]){ 0 }, 8) == 0,
       "not others");
    end();
}

/* Groups that the job made within its own. */
static void inner(void)
{
    struct gput__cgroup_made m;
    const char *why = NULL;
    char name[1300];

    begin("4:cpuacct:/\n");
    fixture_write(&sys, "fs/cgroup/cpuacct/cgroup.procs", "1\n");
    OK(gput__cgroup_make(&proc.root, &sys.root, &m, &why) == 0, "made");
    snprintf(name, sizeof(name), "%s/a/b/cgroup.procs", m.place.folder[GPUT__CGROUP_CPU]);
    fixture_write(&sys, name, "4711\n");
    OK(gput__cgroup_remove(&m) == 0 && !gput__folder_has(sys.root.fd, "fs/cgroup/cpuacct", "gpu-"),
       "those within it go with it");
    text_is("fs/cgroup/cpuacct/cgroup.procs", "4711", "who is left goes home");
    end();
}

int main(void)
{
    v2_below();
    v2_others_below();
    v2_beside();
    v2_within_another();
    v2_refused();
    v1();
    stale();
    inner();
    return DONE();
}
