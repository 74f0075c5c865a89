/* cgroup_make.c - a control group for one job: made before it starts, removed when it has ended. */
#include "source/cgroup/cgroup_make.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/text/scan.h"
#include "source/cgroup/cgroup_use.h"

#define PREFIX "gpu-tracker-"
/* An exiting process holds the group for a moment; one that keeps forking may outrun the loop for a
 * while. */
#define MOST_TRIES 100
#define PAUSE_NS 2000000
#define DEEPEST 8

#define ALL_KINDS ((1u << GPUT__N_CGROUP_KINDS) - 1)

static ssize_t read_in(const struct gput__root *sys, const char *folder, const char *file,
                       char *buf, size_t cap)
{
    char path[GPUT__CGROUP_PATH + 64];

    snprintf(path, sizeof(path), "%s/%s", folder, file);
    return gput__root_read(sys, path, buf, cap);
}

static int open_in(const struct gput__root *sys, const char *folder, const char *file)
{
    char path[GPUT__CGROUP_PATH + 64];
    int fd;

    snprintf(path, sizeof(path), "%s/%s", folder, file);
    fd = openat(sys->fd, path, O_WRONLY | O_CLOEXEC);
    return fd < 0 ? -errno : fd;
}

static int write_in(const struct gput__root *sys, const char *folder, const char *file,
                    const char *text)
{
    int fd = open_in(sys, folder, file);
    int r = 0;

    if (fd < 0)
        return fd;
    if (write(fd, text, strlen(text)) < 0)
        r = -errno;
    close(fd);
    return r;
}

/* --- what others left behind ---------------------------------------------------------------- */

/* The maker's pid in the name of a group; 0: not one of ours. */
static pid_t maker_of(const char *name)
{
    const char *p = name + strlen(PREFIX);
    uint64_t pid;

    if (strncmp(name, PREFIX, strlen(PREFIX)) || gput__scan_dec_until(&p, '-', &pid) < 0 ||
        pid == 0 || pid > INT32_MAX)
        return 0;
    return (pid_t)pid;
}

/* A tracker that was killed could not remove its group.  One with processes in it stays: rmdir
 * refuses. */
static void remove_stale(const struct gput__root *sys, const char *folder)
{
    DIR *dir = gput__folder_open(sys->fd, folder);
    struct dirent *entry;

    if (!dir)
        return;
    while ((entry = readdir(dir))) {
        pid_t maker = maker_of(entry->d_name);

        if (maker && kill(maker, 0) < 0 && errno == ESRCH)
            (void)unlinkat(dirfd(dir), entry->d_name, AT_REMOVEDIR);
    }
    closedir(dir);
}

static bool is_group(DIR *dir, const char *name)
{
    struct stat st;

    return name[0] != '.' && fstatat(dirfd(dir), name, &st, 0) == 0 && S_ISDIR(st.st_mode);
}

static bool has_groups(const struct gput__root *sys, const char *folder)
{
    DIR *dir = gput__folder_open(sys->fd, folder);
    struct dirent *entry;
    bool found = false;

    if (!dir)
        return true; /* not known */
    while (!found && (entry = readdir(dir)))
        found = is_group(dir, entry->d_name);
    closedir(dir);
    return found;
}

/* --- one group ------------------------------------------------------------------------------ */

static void choose_name(char *ret, size_t cap)
{
    uint32_t random = 0;

    if (getrandom(&random, sizeof(random), GRND_NONBLOCK) != (ssize_t)sizeof(random))
        random = (uint32_t)time(NULL);
    snprintf(ret, cap, PREFIX "%d-%08x", getpid(), random);
}

/* Below `parent`; what was made is opened at once: where processes cannot enter it is of no use. */
static int make_one(struct gput__cgroup_made *m, enum gput__cgroup_kind kind, const char *parent,
                    size_t mount, const char *name)
{
    char *folder = m->place.folder[kind];
    int n = snprintf(folder, GPUT__CGROUP_PATH, "%s/%s", parent, name), r;

    if (n >= GPUT__CGROUP_PATH) {
        *folder = '\0';
        return -ENAMETOOLONG;
    }
    remove_stale(m->sys, parent);
    r = mkdirat(m->sys->fd, folder, 0755) < 0 ? -errno : 0;
    if (r == 0) {
        r = open_in(m->sys, folder, "cgroup.procs");
        if (r < 0)
            (void)unlinkat(m->sys->fd, folder, AT_REMOVEDIR);
    }
    if (r < 0) {
        *folder = '\0';
        return r;
    }
    m->procs[kind] = r;
    m->place.mount[kind] = mount;
    return 0;
}

static int remove_one(struct gput__cgroup_made *m, enum gput__cgroup_kind kind)
{
    char *folder = m->place.folder[kind];

    if (m->procs[kind] >= 0)
        close(m->procs[kind]);
    m->procs[kind] = -1;
    if (!*folder)
        return 0;
    if (unlinkat(m->sys->fd, folder, AT_REMOVEDIR) < 0 && errno != ENOENT)
        return -errno;
    *folder = '\0';
    return 0;
}

/* --- version 1 ------------------------------------------------------------------------------ */

/* Without it the limits above would not hold for the new group.  Since Linux 5.11 it always is. */
static bool is_hierarchical(const struct gput__cgroup_made *m)
{
    const char *folder = m->home.folder[GPUT__CGROUP_MEMORY];
    char text[16] = "";

    return folder[m->home.mount[GPUT__CGROUP_MEMORY]] == '\0' ||
           read_in(m->sys, folder, "memory.use_hierarchy", text, sizeof(text)) <= 0 ||
           text[0] == '1';
}

static int make_v1(struct gput__cgroup_made *m, const char *name)
{
    int r = -ENODATA;

    for (int k = 0; k < GPUT__N_CGROUP_KINDS; k++) {
        int made;

        if (!*m->home.folder[k] || (k == GPUT__CGROUP_MEMORY && !is_hierarchical(m)))
            continue;
        made = make_one(m, (enum gput__cgroup_kind)k, m->home.folder[k], m->home.mount[k], name);
        r = r == 0 ? 0 : made;
    }
    m->place.version = r == 0 ? 1 : 0;
    return r;
}

/* --- version 2 ------------------------------------------------------------------------------ */

static const char *const controllers[GPUT__N_CGROUP_KINDS] = {
    [GPUT__CGROUP_MEMORY] = "memory",
    [GPUT__CGROUP_TASKS] = "pids",
    [GPUT__CGROUP_IO] = "io",
};

static bool has_word(const char *text, const char *word)
{
    size_t n = strlen(word);

    for (const char *p = text; (p = strstr(p, word)); p += n)
        if ((p == text || p[-1] == ' ') && (p[n] == ' ' || p[n] == '\n' || p[n] == '\0'))
            return true;
    return false;
}

/* Only where the parent has no other members: the limits of others are not changed. */
static void switch_on(struct gput__cgroup_made *m, const char *parent)
{
    char offered[512], given[512], word[32];

    if (read_in(m->sys, parent, "cgroup.controllers", offered, sizeof(offered)) < 0 ||
        read_in(m->sys, parent, "cgroup.subtree_control", given, sizeof(given)) < 0 ||
        has_groups(m->sys, parent))
        return;
    for (int k = 0; k < GPUT__N_CGROUP_KINDS; k++) {
        if (!controllers[k] || has_word(given, controllers[k]) ||
            !has_word(offered, controllers[k]))
            continue;
        snprintf(word, sizeof(word), "+%s", controllers[k]);
        if (write_in(m->sys, parent, "cgroup.subtree_control", word) == 0)
            m->switched_on |= 1u << k;
    }
}

static void switch_off(struct gput__cgroup_made *m, const char *parent)
{
    char word[32];

    if (m->switched_on == 0 || has_groups(m->sys, parent))
        return;
    for (int k = 0; k < GPUT__N_CGROUP_KINDS; k++) {
        if (!controllers[k] || !(m->switched_on >> k & 1))
            continue;
        snprintf(word, sizeof(word), "-%s", controllers[k]);
        (void)write_in(m->sys, parent, "cgroup.subtree_control", word);
    }
    m->switched_on = 0;
}

static bool has_memory(const struct gput__cgroup_made *m)
{
    char text[64];

    return read_in(m->sys, m->place.folder[0], "memory.stat", text, sizeof(text)) > 0;
}

/* A group beside ours would escape these.  How many tasks there may be is not among them: the new
 * group gets the same number. */
static bool sets_limits(const struct gput__root *sys, const char *folder)
{
    static const char *const limits[] = {
        "memory.max", "memory.high", "memory.swap.max", "memory.zswap.max",
        "cpu.max",    "io.max",      "cpuset.cpus",     "cpuset.mems",
    };

    for (size_t i = 0; i < sizeof(limits) / sizeof(*limits); i++) {
        char text[256];

        if (read_in(sys, folder, limits[i], text, sizeof(text)) > 0 && text[0] != '\n' &&
            strncmp(text, "max", 3))
            return true;
    }
    return false;
}

static void copy_tasks_limit(struct gput__cgroup_made *m)
{
    char text[64];

    if (read_in(m->sys, m->home.folder[0], "pids.max", text, sizeof(text)) > 0 &&
        strncmp(text, "max", 3))
        (void)write_in(m->sys, m->place.folder[0], "pids.max", text);
}

/* The parent's folder, for a group that is not at the mount. */
static bool parent_of(const struct gput__cgroup_place *p, char *ret)
{
    char *slash;

    snprintf(ret, GPUT__CGROUP_PATH, "%s", p->folder[0]);
    slash = strrchr(ret, '/');
    if (!slash || slash < ret + p->mount[0])
        return false;
    *slash = '\0';
    return true;
}

/* In a group of another tracker's, which counts on all of its job being in it. */
static bool is_in_one_of_ours(const struct gput__cgroup_place *home)
{
    return maker_of(strrchr(home->folder[0], '/') + 1) != 0;
}

static int make_beside(struct gput__cgroup_made *m, const char *name)
{
    char parent[GPUT__CGROUP_PATH];
    int r;

    if (!parent_of(&m->home, parent) || is_in_one_of_ours(&m->home) ||
        sets_limits(m->sys, m->home.folder[0]))
        return -EPERM;
    r = make_one(m, 0, parent, m->home.mount[0], name);
    if (r == 0 && !has_memory(m)) {
        (void)remove_one(m, 0);
        return -ENOENT;
    }
    if (r == 0)
        copy_tasks_limit(m);
    return r;
}

static int make_below(struct gput__cgroup_made *m, const char *name)
{
    remove_stale(m->sys, m->home.folder[0]);
    switch_on(m, m->home.folder[0]);
    return make_one(m, 0, m->home.folder[0], m->home.mount[0], name);
}

static int make_v2(struct gput__cgroup_made *m, const char *name)
{
    int r = make_below(m, name);

    if (r < 0 || !has_memory(m)) {
        (void)remove_one(m, 0);
        if (make_beside(m, name) == 0)
            r = 0;
        else if (r == 0)
            r = make_one(m, 0, m->home.folder[0], m->home.mount[0], name);
    }
    if (r < 0) {
        switch_off(m, m->home.folder[0]);
        return r;
    }
    m->place.version = 2;
    for (int k = 1; k < GPUT__N_CGROUP_KINDS; k++) {
        memcpy(m->place.folder[k], m->place.folder[0], GPUT__CGROUP_PATH);
        m->place.mount[k] = m->place.mount[0];
    }
    return 0;
}

/* --- the whole ------------------------------------------------------------------------------ */

static const char *why_not(int r)
{
    switch (-r) {
    case ENODATA:
        return "no control groups are mounted below /sys/fs/cgroup";
    case EROFS:
        return "/sys/fs/cgroup is mounted read-only";
    case EACCES:
    case EPERM:
        return "only root, or the owner of a delegated group, may make one";
    default:
        return strerror(-r);
    }
}

int gput__cgroup_make(const struct gput__root *proc, const struct gput__root *sys,
                      struct gput__cgroup_made *ret, const char **ret_why)
{
    char name[64];
    int r = -ENODATA;

    *ret = (struct gput__cgroup_made){ .sys = sys };
    for (int k = 0; k < GPUT__N_CGROUP_KINDS; k++)
        ret->procs[k] = -1;
    gput__cgroup_find(proc, sys, 0, &ret->home);
    choose_name(name, sizeof(name));
    if (ret->home.version == 1)
        r = make_v1(ret, name);
    else if (ret->home.version == 2)
        r = make_v2(ret, name);
    if (r < 0)
        *ret_why = why_not(r);
    return r;
}

unsigned gput__cgroup_enter(const struct gput__cgroup_made *m)
{
    unsigned failed = 0;

    for (int k = 0; k < GPUT__N_CGROUP_KINDS; k++)
        if (m->procs[k] >= 0 && write(m->procs[k], "0", 1) < 0)
            failed |= 1u << k;
    return failed && m->place.version == 2 ? ALL_KINDS : failed;
}

struct emptying {
    const struct gput__root *sys;
    int home; /* its cgroup.procs */
};

static void send_home(void *ctx, pid_t pid)
{
    const struct emptying *e = ctx;
    char text[16];
    int n = snprintf(text, sizeof(text), "%d", pid);

    (void)!write(e->home, text, (size_t)n);
}

/* Groups that the job has made within its own end with it. */
static void empty_folder(struct emptying *e, const char *folder, int depth)
{
    DIR *dir = gput__folder_open(e->sys->fd, folder);
    char below[GPUT__CGROUP_PATH];
    struct dirent *entry;

    if (e->home >= 0)
        (void)gput__cgroup_members(e->sys, folder, send_home, e);
    if (!dir)
        return;
    while (depth < DEEPEST && (entry = readdir(dir))) {
        if (!is_group(dir, entry->d_name) ||
            (size_t)snprintf(below, sizeof(below), "%s/%s", folder, entry->d_name) >= sizeof(below))
            continue;
        empty_folder(e, below, depth + 1);
        (void)unlinkat(dirfd(dir), entry->d_name, AT_REMOVEDIR);
    }
    closedir(dir);
}

/* As often as new processes turn up. */
static int empty_one(struct gput__cgroup_made *m, enum gput__cgroup_kind kind)
{
    const struct timespec pause = { .tv_nsec = PAUSE_NS };
    struct emptying e = { .sys = m->sys, .home = -1 };
    int r = remove_one(m, kind);

    if (r == 0)
        return 0;
    e.home = open_in(m->sys, m->home.folder[kind], "cgroup.procs");
    for (int i = 0; i < MOST_TRIES && r < 0; i++) {
        empty_folder(&e, m->place.folder[kind], 0);
        r = remove_one(m, kind);
        if (r < 0)
            (void)nanosleep(&pause, NULL);
    }
    if (e.home >= 0)
        close(e.home);
    return r;
}

void gput__cgroup_drop(struct gput__cgroup_made *m, unsigned kinds)
{
    if (m->place.version == 2 && kinds) {
        (void)gput__cgroup_remove(m);
        return;
    }
    for (int k = 0; k < GPUT__N_CGROUP_KINDS; k++)
        if (kinds >> k & 1)
            (void)remove_one(m, (enum gput__cgroup_kind)k);
}

int gput__cgroup_remove(struct gput__cgroup_made *m)
{
    int kinds = m->place.version == 2 ? 1 : GPUT__N_CGROUP_KINDS, r = 0;

    for (int k = 0; m->sys && k < kinds; k++) {
        int one = empty_one(m, (enum gput__cgroup_kind)k);

        r = one < 0 ? one : r;
    }
    if (m->sys && m->home.version == 2)
        switch_off(m, m->home.folder[0]);
    return r;
}
