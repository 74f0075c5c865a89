/* drm_clients.c - the DRM clients that processes hold, found through /proc/<pid>/fd and fdinfo. */
#include "source/gpu/drm_clients.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "base/grow.h"

enum { DRM_MAJOR = 226 };

struct seen {
    char pdev[GPUT__DRM_NAME];
    uint64_t id;
    pid_t pid; /* 0 unless the client has no id */
};

struct scan {
    const struct gput__root *proc;
    bool check_major;
    gput__drm_client_fn *each;
    void *ctx;
    struct seen *seen;
    size_t n_seen, cap;
    struct gput__drm_scan found;
};

/* Without an id a copy and another client look the same: one of each process counts. */
static int is_new(struct scan *s, pid_t pid, const struct gput__drm_client *c, bool *ret)
{
    struct seen key = { .id = c->has_id ? c->id : 0, .pid = c->has_id ? 0 : pid };

    for (size_t i = 0; i < s->n_seen; i++) {
        const struct seen *x = &s->seen[i];

        if (x->id != key.id || x->pid != key.pid || strcmp(x->pdev, c->pdev))
            continue;
        *ret = false;
        return 0;
    }
    if (GPUT__GROW(s->seen, s->cap, s->n_seen + 1) < 0)
        return -ENOMEM;
    strcpy(key.pdev, c->pdev);
    s->seen[s->n_seen++] = key;
    *ret = true;
    return 0;
}

/* 1: a DRM device, 0: not, -EACCES.  The name is asked for first because it costs the least and
 * never touches the file's own, perhaps hanging, file system. */
static int is_drm(const struct scan *s, int dir, const char *fd)
{
    const char *prefix = s->check_major ? "/dev/" : "/dev/dri/";
    char target[64];
    struct stat st;
    ssize_t n = readlinkat(dir, fd, target, sizeof(target) - 1);

    if (n < 0)
        return errno == EACCES || errno == EPERM ? -EACCES : 0;
    target[n] = '\0';
    if (strncmp(target, prefix, strlen(prefix)))
        return 0;
    if (!s->check_major)
        return 1;
    return fstatat(dir, fd, &st, 0) == 0 && S_ISCHR(st.st_mode) && major(st.st_rdev) == DRM_MAJOR;
}

static int read_descriptor(struct scan *s, pid_t pid, const char *fd)
{
    struct gput__drm_client c;
    char name[64], text[8192];
    bool fresh;
    int r;

    snprintf(name, sizeof(name), "%d/fdinfo/%.20s", pid, fd);
    r = (int)gput__root_read(s->proc, name, text, sizeof(text));
    if (r == -EACCES || r == -EPERM)
        return -EACCES;
    if (r < 0)
        return 0;
    if (gput__drm_fdinfo_parse(text, &c) < 0) {
        s->found.mute++;
        return 0;
    }
    r = is_new(s, pid, &c, &fresh);
    if (r == 0 && fresh)
        s->each(s->ctx, pid, &c);
    return r;
}

static int search(struct scan *s, pid_t pid, DIR *dir)
{
    struct dirent *e;
    int r = 0;

    while (r >= 0 && (e = readdir(dir))) {
        if (e->d_name[0] < '0' || e->d_name[0] > '9')
            continue;
        r = is_drm(s, dirfd(dir), e->d_name);
        if (r > 0)
            r = read_descriptor(s, pid, e->d_name);
    }
    return r;
}

static int read_folder(struct scan *s, pid_t pid)
{
    char name[32];
    DIR *dir;
    int r;

    snprintf(name, sizeof(name), "%d/fd", pid);
    dir = gput__folder_open(s->proc->fd, name);
    if (!dir)
        return errno == ENOENT || errno == ESRCH ? 0 : -errno;
    r = search(s, pid, dir);
    closedir(dir);
    return r;
}

int gput__drm_clients(const struct gput__root *proc, bool check_major, const pid_t *pids, size_t n,
                      gput__drm_client_fn *each, void *ctx, struct gput__drm_scan *ret)
{
    struct scan s = { .proc = proc, .check_major = check_major, .each = each, .ctx = ctx };
    int r = 0;

    for (size_t i = 0; i < n && r == 0; i++) {
        r = read_folder(&s, pids[i]);
        if (r == -EACCES || r == -EPERM) {
            s.found.denied++;
            r = 0;
        }
    }
    free(s.seen);
    if (r == 0)
        *ret = s.found;
    return r;
}
