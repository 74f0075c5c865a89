/* cgroup.c - the control groups of a process, versions 1 and 2: where they are, and their limits. */
#include "source/cgroup/cgroup.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/text/scan.h"

/* Version 1 says "no limit" with the largest multiple of a page; no machine has so much memory. */
#define V1_UNLIMITED (UINT64_C(1) << 62)

/* Whether the comma-separated list from p to end holds the name. */
static bool lists(const char *p, const char *end, const char *name)
{
    size_t n = strlen(name);

    while (p < end) {
        const char *comma = memchr(p, ',', (size_t)(end - p));
        const char *stop = comma ? comma : end;

        if ((size_t)(stop - p) == n && !memcmp(p, name, n))
            return true;
        p = stop + 1;
    }
    return n == 0 && p == end;
}

const char *gput__cgroup_path(const char *text, const char *controller, size_t *ret_len)
{
    for (const char *line = text; line; line = strchr(line, '\n')) {
        const char *names, *path, *end;

        line += *line == '\n';
        names = strchr(line, ':');
        path = names ? strchr(names + 1, ':') : NULL;
        if (!path)
            break;
        if (!lists(names + 1, path, controller))
            continue;
        path++;
        end = strchrnul(path, '\n');
        *ret_len = (size_t)(end - path);
        return path;
    }
    return NULL;
}

struct group {
    const struct gput__root *sys;
    const char *mount; /* below the sys root */
    char path[1024];   /* of the group below the mount; "" is the mount itself */
};

static ssize_t read_file(const struct group *g, const char *file, char *buf, size_t cap)
{
    char name[1200];

    snprintf(name, sizeof(name), "%s%s/%s", g->mount, g->path, file);
    return gput__root_read(g->sys, name, buf, cap);
}

/* One step up; false at the mount.  In a container /proc/self/cgroup may name the host's path while
 * the mount shows the container's group as its root: folders that are not there are skipped. */
static bool go_up(struct group *g)
{
    char *slash = strrchr(g->path, '/');

    if (!slash)
        return false;
    *slash = '\0';
    return true;
}

static void lower_memory(struct gput__cgroup *c, uint64_t limit)
{
    if (limit >= V1_UNLIMITED || (c->has_memory_limit && c->memory_limit <= limit))
        return;
    c->memory_limit = limit;
    c->has_memory_limit = true;
}

static void lower_cpu(struct gput__cgroup *c, const struct group *g, uint64_t quota,
                      uint64_t period)
{
    double cores;

    if (period == 0)
        return;
    cores = (double)quota / (double)period;
    if (c->has_cpu_limit && c->cpu_limit <= cores)
        return;
    c->cpu_limit = cores;
    c->has_cpu_limit = true;
    snprintf(c->cpu_folder, sizeof(c->cpu_folder), "%s%s", g->mount, g->path);
}

static void read_memory(const struct group *g, const char *file, struct gput__cgroup *c)
{
    const char *p;
    char text[64];
    uint64_t v;

    p = text;
    if (read_file(g, file, text, sizeof(text)) > 0 && gput__scan_u64(&p, &v) == 0)
        lower_memory(c, v);
}

static void read_cpu(const struct group *g, int version, struct gput__cgroup *c)
{
    uint64_t quota, period;
    char text[64];
    const char *p = text;

    if (version == 2) {
        if (read_file(g, "cpu.max", text, sizeof(text)) > 0 && gput__scan_u64(&p, &quota) == 0 &&
            gput__scan_u64(&p, &period) == 0)
            lower_cpu(c, g, quota, period);
        return;
    }
    if (read_file(g, "cpu.cfs_quota_us", text, sizeof(text)) <= 0 || gput__scan_u64(&p, &quota) < 0)
        return; /* -1: no limit */
    p = text;
    if (read_file(g, "cpu.cfs_period_us", text, sizeof(text)) > 0 &&
        gput__scan_u64(&p, &period) == 0)
        lower_cpu(c, g, quota, period);
}

static bool mounted(const struct group *g, const char *file)
{
    struct group top = { .sys = g->sys, .mount = g->mount };
    char text[8];

    return read_file(&top, file, text, sizeof(text)) >= 0;
}

static bool enter(struct group *g, const char *text, const char *controller, const char *mount)
{
    size_t len;
    const char *path = gput__cgroup_path(text, controller, &len);

    if (!path || len >= sizeof(g->path))
        return false;
    g->mount = mount;
    memcpy(g->path, path, len);
    g->path[len] = '\0';
    if (!strcmp(g->path, "/"))
        g->path[0] = '\0';
    return true;
}

static void read_oom(struct group g, const char *file, struct gput__cgroup *c)
{
    char text[512];

    do {
        if (read_file(&g, file, text, sizeof(text)) <= 0)
            continue;
        c->has_oom_kills = gput__scan_key(text, "oom_kill", &c->oom_kills) == 0;
        return;
    } while (go_up(&g));
}

static void read_v2(struct group *g, struct gput__cgroup *c)
{
    c->version = 2;
    read_oom(*g, "memory.events", c);
    do {
        read_memory(g, "memory.max", c);
        read_cpu(g, 2, c);
    } while (go_up(g));
}

static void read_v1(struct group *g, const char *text, struct gput__cgroup *c)
{
    static const char *const cpu_mounts[] = { "fs/cgroup/cpu,cpuacct", "fs/cgroup/cpu" };

    if (enter(g, text, "memory", "fs/cgroup/memory")) {
        c->version = 1;
        read_oom(*g, "memory.oom_control", c);
        do
            read_memory(g, "memory.limit_in_bytes", c);
        while (go_up(g));
    }
    for (size_t i = 0; i < sizeof(cpu_mounts) / sizeof(*cpu_mounts); i++) {
        if (!enter(g, text, "cpu", cpu_mounts[i]) || !mounted(g, "cpu.shares"))
            continue;
        do
            read_cpu(g, 1, c);
        while (go_up(g));
        return;
    }
}

int gput__cgroup_text(const struct gput__root *proc, pid_t pid, char *ret, size_t cap)
{
    char name[32] = "self/cgroup";
    ssize_t n;

    if (pid)
        snprintf(name, sizeof(name), "%d/cgroup", pid);
    n = gput__root_read(proc, name, ret, cap);
    return n > 0 ? 0 : n < 0 ? (int)n : -ENODATA;
}

void gput__cgroup_parse(const struct gput__root *sys, const char *text, struct gput__cgroup *ret)
{
    struct group g = { .sys = sys };

    *ret = (struct gput__cgroup){ 0 };
    if (enter(&g, text, "", "fs/cgroup") && mounted(&g, "cgroup.controllers"))
        read_v2(&g, ret);
    else
        read_v1(&g, text, ret);
}

void gput__cgroup_read(const struct gput__root *proc, const struct gput__root *sys, pid_t pid,
                       struct gput__cgroup *ret)
{
    char text[4096];

    if (gput__cgroup_text(proc, pid, text, sizeof(text)) == 0)
        gput__cgroup_parse(sys, text, ret);
    else
        *ret = (struct gput__cgroup){ 0 };
}

/* --- places --------------------------------------------------------------------------------- */

/* The group itself or, where that is not below the mount, the nearest one that is.  "/.." leads out
 * of our cgroup namespace: that group cannot be reached. */
static bool find_reachable(struct group *g)
{
    char text[8];

    if (strstr(g->path, "/.."))
        return false;
    do
        if (read_file(g, "cgroup.procs", text, sizeof(text)) >= 0)
            return true;
    while (go_up(g));
    return false;
}

static void set_place(struct gput__cgroup_place *p, enum gput__cgroup_kind kind,
                      const struct group *g)
{
    snprintf(p->folder[kind], sizeof(p->folder[kind]), "%s%s", g->mount, g->path);
    p->mount[kind] = strlen(g->mount);
}

static void find_v1(struct group *g, const char *text, struct gput__cgroup_place *p)
{
    static const struct {
        const char *controller;
        const char *mounts[3];
    } kinds[GPUT__N_CGROUP_KINDS] = {
        [GPUT__CGROUP_CPU] = { "cpuacct",
                               { "fs/cgroup/cpuacct", "fs/cgroup/cpu,cpuacct",
                                 "fs/cgroup/cpuacct,cpu" } },
        [GPUT__CGROUP_MEMORY] = { "memory", { "fs/cgroup/memory" } },
        [GPUT__CGROUP_TASKS] = { "pids", { "fs/cgroup/pids" } },
        [GPUT__CGROUP_IO] = { "blkio", { "fs/cgroup/blkio" } },
        [GPUT__CGROUP_PRESSURE] = { "", { "fs/cgroup/unified" } },
    };

    for (int k = 0; k < GPUT__N_CGROUP_KINDS; k++)
        for (int i = 0; i < 3 && kinds[k].mounts[i] && !*p->folder[k]; i++)
            if (enter(g, text, kinds[k].controller, kinds[k].mounts[i]) && find_reachable(g)) {
                set_place(p, (enum gput__cgroup_kind)k, g);
                p->version = k != GPUT__CGROUP_PRESSURE ? 1 : p->version;
            }
}

void gput__cgroup_find(const struct gput__root *proc, const struct gput__root *sys, pid_t pid,
                       struct gput__cgroup_place *ret)
{
    struct group g = { .sys = sys };
    char text[4096];

    *ret = (struct gput__cgroup_place){ 0 };
    if (gput__cgroup_text(proc, pid, text, sizeof(text)) < 0)
        return;
    if (!enter(&g, text, "", "fs/cgroup") || !mounted(&g, "cgroup.controllers")) {
        find_v1(&g, text, ret);
        return;
    }
    if (!find_reachable(&g))
        return;
    ret->version = 2;
    for (int k = 0; k < GPUT__N_CGROUP_KINDS; k++)
        set_place(ret, (enum gput__cgroup_kind)k, &g);
}

const char *gput__cgroup_name(const struct gput__cgroup_place *place)
{
    int kind = *place->folder[GPUT__CGROUP_MEMORY] ? GPUT__CGROUP_MEMORY : GPUT__CGROUP_CPU;
    const char *path = place->folder[kind] + place->mount[kind];

    return *path ? path : "/";
}
