/* gathering.c - the folder in which the trackers of one job on one node put their results together. */
#include "store/fleet/gathering.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/grow.h"
#include "base/netfs.h"
#include "base/root.h"
#include "store/files/whole_file.h"

/* Files of a member are called by its random name and one of these. */
#define ALIVE ".alive"
#define STATE ".state"
#define NEW ".new"
#define BIRTH "gathering"

/* Others hold a lock for some system calls; one that was stopped meanwhile must not hold us up. */
#define PATIENCE_NS (200 * GPUT__NS_PER_MS)

static void make_random(char ret[GPUT__GATHERING_ID])
{
    uint64_t n = (uint64_t)gput__now() ^ (uint64_t)getpid() << 40;

    (void)!getrandom(&n, sizeof(n), GRND_NONBLOCK);
    snprintf(ret, GPUT__GATHERING_ID, "%016llx", (unsigned long long)n);
}

static bool lock(int fd, int kind, int64_t patience_ns)
{
    struct timespec step = { .tv_nsec = GPUT__NS_PER_MS };
    int64_t until = patience_ns ? gput__now() + patience_ns : 0;

    while (flock(fd, kind | LOCK_NB) < 0) {
        if ((errno != EWOULDBLOCK && errno != EINTR) || gput__now() >= until)
            return false;
        nanosleep(&step, NULL);
    }
    return true;
}

/* --- where it is ----------------------------------------------------------------------------- */

/* A folder of the user's own that nobody else can enter, on a file system of this machine. */
static int open_private(const char *path)
{
    struct stat st;
    int fd, r = mkdir(path, 0700) < 0 && errno != EEXIST ? -errno : 0;

    if (r < 0)
        return r;
    fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0)
        return -errno;
    if (fstat(fd, &st) < 0)
        r = -errno;
    else if (st.st_uid != geteuid() || (st.st_mode & 077))
        r = -EPERM; /* somebody else has laid it there */
    else if (gput__netfs_has(fd))
        r = -EXDEV;
    if (r == 0)
        return fd;
    close(fd);
    return r;
}

static int find_root(char **ret_path)
{
    const char *own = secure_getenv("GPUT_FLEET_LOCAL");
    const char *const places[] = { own, "/tmp", "/var/tmp", "/dev/shm" };
    int r = -ENOENT;

    for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++) {
        char *path = NULL;

        if (!places[i] || !*places[i])
            continue;
        if (asprintf(&path, "%s/gpu-tracker-%u", places[i], (unsigned)geteuid()) < 0)
            return -ENOMEM;
        r = open_private(path);
        if (r >= 0) {
            close(r);
            *ret_path = path;
            return 0;
        }
        free(path);
    }
    return r;
}

/* --- coming ---------------------------------------------------------------------------------- */

static int write_file(int folder, const char *name, int flags, const char *text)
{
    int fd = openat(folder, name, O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC | flags, 0600);
    int r;

    if (fd < 0)
        return -errno;
    r = gput__write_all(fd, text, strlen(text));
    if (close(fd) < 0 && r == 0)
        r = -errno;
    return r;
}

static int read_file(int folder, const char *name, char *ret, size_t size)
{
    int fd = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    ssize_t n = fd < 0 ? -errno : read(fd, ret, size - 1);

    if (fd >= 0) {
        n = n < 0 ? -errno : n;
        close(fd);
    }
    ret[n > 0 ? n : 0] = '\0';
    return n < 0 ? (int)n : 0;
}

/* The first one to come says when that was. */
static int learn_birth(struct gput__gathering *g)
{
    char text[128];
    int r;

    make_random(g->id);
    g->wall = (double)gput__clock_ns(CLOCK_REALTIME) / 1e9;
    g->boot = (double)gput__clock_ns(CLOCK_BOOTTIME) / 1e9;
    snprintf(text, sizeof(text), "%s %lld %lld\n", g->id, (long long)(g->wall * 1e6),
             (long long)(g->boot * 1e6));
    r = write_file(g->folder_fd, BIRTH, O_EXCL, text);
    if (r != -EEXIST)
        return r;
    r = read_file(g->folder_fd, BIRTH, text, sizeof(text));
    if (r < 0 || strlen(text) < 20 || text[16] != ' ')
        return r < 0 ? r : -EAGAIN; /* it has only just been made */
    memcpy(g->id, text, 16);
    g->wall = (double)strtoll(text + 17, NULL, 10) / 1e6;
    if (strchr(text + 17, ' '))
        g->boot = (double)strtoll(strchr(text + 17, ' '), NULL, 10) / 1e6;
    return 0;
}

static int open_own(struct gput__gathering *g)
{
    char name[GPUT__GATHERING_ID + 8];

    make_random(g->own);
    snprintf(name, sizeof(name), "%s" ALIVE, g->own);
    g->alive_fd = openat(g->folder_fd, name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (g->alive_fd < 0)
        return -errno;
    return lock(g->alive_fd, LOCK_EX, PATIENCE_NS) ? 0 : -ENOLCK;
}

/* Whether the folder that we have open is still the one of its name: else it was closed meanwhile. */
static bool is_current(const struct gput__gathering *g)
{
    struct stat open_one, named;

    return fstat(g->folder_fd, &open_one) == 0 && stat(g->path, &named) == 0 &&
           open_one.st_ino == named.st_ino && open_one.st_dev == named.st_dev;
}

static int try_join(struct gput__gathering *g)
{
    int r = open_private(g->path);

    if (r < 0)
        return r;
    g->folder_fd = r;
    (void)lock(g->folder_fd, LOCK_EX, PATIENCE_NS); /* without it too: then we may begin anew */
    r = is_current(g) ? learn_birth(g) : -ESTALE;
    if (r == 0)
        r = open_own(g);
    (void)flock(g->folder_fd, LOCK_UN);
    if (r < 0) {
        close(g->folder_fd);
        g->folder_fd = -1;
    }
    return r;
}

int gput__gathering_join(const char *name, struct gput__gathering *ret)
{
    struct gput__gathering g = { .folder_fd = -1, .alive_fd = -1, .node_fd = -1, .writer_fd = -1 };
    char *root = NULL;
    int r = find_root(&root);

    if (r == 0 && asprintf(&g.path, "%s/%s", root, name) < 0) {
        g.path = NULL;
        r = -ENOMEM;
    }
    for (int i = 0; r == 0 && i < 20; i++) {
        r = try_join(&g);
        if (r != -ESTALE && r != -EAGAIN && r != -ENOENT)
            break;
        r = i < 19 ? 0 : r;
    }
    free(root);
    *ret = g;
    if (r < 0)
        gput__gathering_leave(ret);
    return r;
}

static void close_fd(int *fd)
{
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

void gput__gathering_leave(struct gput__gathering *g)
{
    if (!g->path)
        return;
    close_fd(&g->alive_fd);
    close_fd(&g->node_fd);
    close_fd(&g->writer_fd);
    close_fd(&g->folder_fd);
    free(g->path);
    g->path = NULL;
}

/* --- while we are in it ----------------------------------------------------------------------- */

static bool hold(struct gput__gathering *g, int *fd, const char *name)
{
    if (*fd >= 0)
        return true;
    *fd = openat(g->folder_fd, name, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (*fd >= 0 && flock(*fd, LOCK_EX | LOCK_NB) == 0)
        return true;
    close_fd(fd);
    return false;
}

bool gput__gathering_elect(struct gput__gathering *g)
{
    return g->path && hold(g, &g->node_fd, "node");
}

bool gput__gathering_begin_writing(struct gput__gathering *g)
{
    return g->path && hold(g, &g->writer_fd, "writer");
}

void gput__gathering_end_writing(struct gput__gathering *g)
{
    close_fd(&g->writer_fd);
}

static int replace(const struct gput__gathering *g, const char *name, const char *text)
{
    char aside[2 * GPUT__GATHERING_ID];
    int r;

    snprintf(aside, sizeof(aside), "%s" NEW, g->own);
    r = write_file(g->folder_fd, aside, O_TRUNC, text);
    if (r == 0 && renameat(g->folder_fd, aside, g->folder_fd, name) < 0)
        r = -errno;
    if (r < 0)
        (void)unlinkat(g->folder_fd, aside, 0);
    return r;
}

int gput__gathering_store(struct gput__gathering *g, const char *text)
{
    char name[2 * GPUT__GATHERING_ID];

    snprintf(name, sizeof(name), "%s" STATE, g->own);
    return replace(g, name, text);
}

/* Of one length, so that no reader sees half of an old one behind it. */
int gput__gathering_tell(struct gput__gathering *g, const char *line)
{
    char text[256];

    snprintf(text, sizeof(text), "%-254s\n", line);
    return pwrite(g->alive_fd, text, strlen(text), 0) < 0 ? -errno : 0;
}

int gput__gathering_note(const struct gput__gathering *g, const char *name, char *ret, size_t size)
{
    return read_file(g->folder_fd, name, ret, size);
}

int gput__gathering_make_note(const struct gput__gathering *g, const char *name, const char *text)
{
    return replace(g, name, text);
}

void gput__gathering_drop_note(const struct gput__gathering *g, const char *name)
{
    (void)unlinkat(g->folder_fd, name, 0);
}

/* --- who is there ----------------------------------------------------------------------------- */

static bool is_alive(const struct gput__gathering *g, const char *file)
{
    int fd = openat(g->folder_fd, file, O_RDWR | O_NOFOLLOW | O_CLOEXEC);
    bool is;

    if (fd < 0)
        return false;
    is = flock(fd, LOCK_SH | LOCK_NB) < 0 && errno == EWOULDBLOCK;
    close(fd);
    return is;
}

int gput__gathering_members(const struct gput__gathering *g, struct gput__member **ret,
                            size_t *ret_n)
{
    DIR *d = gput__folder_open(g->folder_fd, ".");
    struct gput__member *list = NULL;
    size_t n = 0, cap = 0;
    struct dirent *e;
    int r = 0;

    if (!d)
        return -errno;
    while (r == 0 && (e = readdir(d))) {
        if (strlen(e->d_name) != 16 + strlen(ALIVE) || strcmp(e->d_name + 16, ALIVE))
            continue;
        r = GPUT__GROW(list, cap, n + 1);
        if (r < 0)
            break;
        list[n] = (struct gput__member){ .is_alive = is_alive(g, e->d_name) };
        memcpy(list[n++].name, e->d_name, 16);
    }
    closedir(d);
    if (r < 0) {
        free(list);
        return r;
    }
    *ret = list;
    *ret_n = n;
    return 0;
}

static int read_whole(int folder, const char *name, struct gput__buf *ret)
{
    int fd = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    char part[16384];
    ssize_t n;

    if (fd < 0)
        return -errno;
    while ((n = read(fd, part, sizeof(part))) > 0)
        gput__buf_add(ret, part, (size_t)n);
    n = n < 0 ? -errno : 0;
    close(fd);
    return n < 0 ? (int)n : ret->err;
}

int gput__gathering_read(const struct gput__gathering *g, const struct gput__member *m,
                         struct gput__buf *ret_text, char *ret_line, size_t size)
{
    char name[2 * GPUT__GATHERING_ID];
    int r;

    snprintf(name, sizeof(name), "%s" ALIVE, m->name);
    if (read_file(g->folder_fd, name, ret_line, size) < 0)
        ret_line[0] = '\0';
    snprintf(name, sizeof(name), "%s" STATE, m->name);
    gput__buf_clear(ret_text);
    r = read_whole(g->folder_fd, name, ret_text);
    return r == -ENOENT ? 0 : r;
}

/* --- the end ---------------------------------------------------------------------------------- */

/* Only one of those that see all others out can move it. */
static bool move_aside(struct gput__gathering *g)
{
    char *aside = NULL;

    if (!is_current(g) || asprintf(&aside, "%s.%s", g->path, g->id) < 0)
        return false;
    if (rename(g->path, aside) < 0) {
        free(aside);
        return false;
    }
    free(g->path);
    g->path = aside;
    g->is_moved = true;
    return true;
}

bool gput__gathering_close(struct gput__gathering *g,
                           bool (*is_out)(const struct gput__gathering *g,
                                          const struct gput__member *m))
{
    struct gput__member *list = NULL;
    size_t n = 0;
    bool is_last;

    (void)lock(g->folder_fd, LOCK_EX, PATIENCE_NS);
    is_last = gput__gathering_members(g, &list, &n) == 0;
    for (size_t i = 0; is_last && i < n; i++)
        is_last = strcmp(list[i].name, g->own) == 0 || !list[i].is_alive || is_out(g, &list[i]);
    if (is_last)
        is_last = move_aside(g);
    (void)flock(g->folder_fd, LOCK_UN);
    free(list);
    return is_last;
}

static bool is_dead(const struct gput__gathering *g, const struct gput__member *m)
{
    (void)g;
    return !m->is_alive;
}

void gput__gathering_withdraw(struct gput__gathering *g)
{
    char name[2 * GPUT__GATHERING_ID];
    struct gput__member *list = NULL;
    size_t n = 0;

    snprintf(name, sizeof(name), "%s" ALIVE, g->own);
    (void)unlinkat(g->folder_fd, name, 0);
    snprintf(name, sizeof(name), "%s" STATE, g->own);
    (void)unlinkat(g->folder_fd, name, 0);
    if (gput__gathering_members(g, &list, &n) == 0 && n == 0 && gput__gathering_close(g, is_dead))
        gput__gathering_remove(g);
    free(list);
}

void gput__gathering_remove(struct gput__gathering *g)
{
    DIR *d = gput__folder_open(g->folder_fd, ".");
    struct dirent *e;

    if (!d)
        return;
    while ((e = readdir(d)))
        if (strcmp(e->d_name, ".") && strcmp(e->d_name, ".."))
            (void)unlinkat(g->folder_fd, e->d_name, 0);
    closedir(d);
    if (g->is_moved)
        (void)rmdir(g->path);
}
