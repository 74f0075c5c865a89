/* fleet_files.c - all node files below folders. */
#include "store/fleet/fleet_files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/grow.h"
#include "base/text/text.h"
#include "store/fleet/node_file.h"

/* The folders of DIR/job/step/hh/node.json below DIR; what is deeper is somebody else's. */
enum { JOB = 1, STEP, PART };
/* Of files and folders that are no part of such a layout; with more it is another folder. */
enum { MOST_OTHERS = 4000 };
/* A node file of 8 ranks has 64 KB. */
#define LARGEST_FILE (64u << 20)
/* With more files series are kept shorter, so that 100,000 of them fit in memory. */
enum { MANY_FILES = 4000, RANK_POINTS = 60, NODE_POINTS = 400, FEWER_POINTS = 12 };

/* The files to be read. */
struct list {
    struct listed {
        const char *path;
        bool is_named; /* by the caller, and not found in a folder */
    } * file;
    size_t n, cap;
};

struct gathering {
    struct gput__fleet *fleet;
    struct list list;
    struct gput__buf text; /* of the file under way */
    const char *folder;    /* that was named, and its file system */
    dev_t device;
    size_t n_others; /* below it, of no fleet */
};

static int add_fault(struct gput__fleet *fleet, const char *path, const char *why, bool is_harmless)
{
    struct gput__fleet_fault fault = { .is_harmless = is_harmless };

    if (GPUT__GROW(fleet->faults, fleet->cap_faults, fleet->n_faults + 1) < 0 ||
        asprintf(&fault.text, "%s: %s", path, why) < 0)
        return -ENOMEM;
    gput_text_plain(fault.text);
    fleet->faults[fleet->n_faults++] = fault;
    return 0;
}

static int add_file(struct gathering *g, const char *path, bool is_named)
{
    uint32_t name;
    int r = gput__names_add(&g->fleet->names, path, strlen(path), &name);

    if (r < 0 || GPUT__GROW(g->list.file, g->list.cap, g->list.n + 1) < 0)
        return -ENOMEM;
    g->list.file[g->list.n++] =
        (struct listed){ .path = g->fleet->names.list[name].text, .is_named = is_named };
    return 0;
}

static bool ends_in_json(const char *name)
{
    size_t n = strlen(name);

    return n > 5 && strcmp(name + n - 5, ".json") == 0;
}

/* Two hexadecimal digits. */
static bool is_part(const char *name)
{
    return strlen(name) == 2 && strspn(name, "0123456789abcdef") == 2;
}

/* Links to folders are not followed: they may lead round in a circle. */
static bool is_folder(const struct dirent *entry, const char *path)
{
    struct stat st;

    if (entry->d_type != DT_UNKNOWN)
        return entry->d_type == DT_DIR;
    return lstat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

static int add_other(struct gathering *g)
{
    return ++g->n_others > MOST_OTHERS ? -E2BIG : 0;
}

static int walk(struct gathering *g, const char *folder, int depth);

static int add_entry(struct gathering *g, const struct dirent *entry, const char *path, int depth)
{
    if (is_folder(entry, path))
        return depth < STEP || (depth == STEP && is_part(entry->d_name)) ? walk(g, path, depth + 1)
                                                                         : add_other(g);
    return ends_in_json(entry->d_name) ? add_file(g, path, false) : add_other(g);
}

static int walk_open(struct gathering *g, DIR *dir, const char *folder, int depth)
{
    const struct dirent *entry;
    int r = 0;

    while (r == 0 && (entry = readdir(dir))) {
        char *path;

        if (entry->d_name[0] == '.')
            continue;
        if (asprintf(&path, "%s/%s", strcmp(folder, "/") ? folder : "", entry->d_name) < 0)
            return -ENOMEM;
        r = add_entry(g, entry, path, depth);
        free(path);
    }
    return r;
}

/* A folder on another file system, and one without *.json, count as others. */
static int walk(struct gathering *g, const char *folder, int depth)
{
    size_t n_before = g->list.n;
    DIR *dir = opendir(folder);
    struct stat st;
    int r = 0;

    if (!dir)
        return add_fault(g->fleet, folder, strerror(errno), false);
    if (depth == 0 || (fstat(dirfd(dir), &st) == 0 && st.st_dev == g->device))
        r = walk_open(g, dir, folder, depth);
    closedir(dir);
    return r == 0 && g->list.n == n_before ? add_other(g) : r;
}

static int list_path(struct gathering *g, const char *path)
{
    size_t n = strlen(path);
    struct stat st;
    char *folder;
    int r;

    if (stat(path, &st) < 0)
        return add_fault(g->fleet, path, strerror(errno), false);
    if (!S_ISDIR(st.st_mode))
        return add_file(g, path, true);
    while (n > 1 && path[n - 1] == '/')
        n--;
    g->folder = path;
    g->device = st.st_dev;
    g->n_others = 0;
    folder = strndup(path, n);
    r = folder ? walk(g, folder, 0) : -ENOMEM;
    free(folder);
    return r;
}

static int by_path(const void *a, const void *b)
{
    return strcmp(((const struct listed *)a)->path, ((const struct listed *)b)->path);
}

/* In the order of their paths, each once. */
static void sort_list(struct list *list)
{
    size_t n = 0;

    if (list->n > 1)
        qsort(list->file, list->n, sizeof(*list->file), by_path);
    for (size_t i = 0; i < list->n; i++) {
        if (n > 0 && list->file[n - 1].path == list->file[i].path) /* names are kept once */
            list->file[n - 1].is_named |= list->file[i].is_named;
        else
            list->file[n++] = list->file[i];
    }
    list->n = n;
}

static int read_open(int fd, struct gput__buf *text, const char **ret_why)
{
    struct stat st;
    ssize_t got;

    gput__buf_clear(text);
    if (fstat(fd, &st) < 0)
        return -errno;
    *ret_why = !S_ISREG(st.st_mode)               ? "it is no regular file"
               : st.st_size > (off_t)LARGEST_FILE ? "it is too large for a node file"
                                                  : NULL;
    if (*ret_why)
        return -EBADMSG;
    do {
        if (gput__buf_reserve(text, (size_t)st.st_size - text->len + 1) < 0)
            return -ENOMEM;
        got = read(fd, text->data + text->len, (size_t)st.st_size - text->len + 1);
        text->len += got > 0 ? (size_t)got : 0;
    } while ((got < 0 && errno == EINTR) || (got > 0 && text->len < (size_t)st.st_size));
    return got < 0 ? -errno : 0;
}

/* The whole file into g->text. */
static int load(struct gathering *g, const char *path, const char **ret_why)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK); /* a pipe would wait */
    int r = fd < 0 ? -errno : read_open(fd, &g->text, ret_why);

    if (r < 0 && !*ret_why)
        *ret_why = strerror(-r);
    if (fd >= 0)
        close(fd);
    return r;
}

/* Other JSON in a folder is harmless, unless there is much of it. */
static int add_unread(struct gathering *g, const struct listed *listed, const char *why,
                      bool is_other)
{
    int r = add_fault(g->fleet, listed->path, why, is_other);

    return r == 0 && is_other ? add_other(g) : r;
}

static int read_file(struct gathering *g, const struct listed *listed)
{
    struct gput__fleet *fleet = g->fleet;
    struct gput__input in = GPUT__INPUT_INIT;
    struct gput__fleet_file file;
    const char *why = NULL;
    char words[200];
    int r = load(g, listed->path, &why);

    if (r == 0) {
        in.data = g->text.data;
        in.end = g->text.len;
        r = gput__node_file_read(&in, listed->path, fleet, &file, words);
        why = words;
    }
    if (r == -ENOMEM)
        return r;
    if (r < 0)
        return add_unread(g, listed, why, r == -ENODATA && !listed->is_named);
    if (GPUT__GROW(fleet->files, fleet->cap, fleet->n + 1) < 0) {
        gput__fleet_file_free(&file);
        return -ENOMEM;
    }
    fleet->files[fleet->n++] = file;
    return 0;
}

/* Texts are kept once, so that equal ones have one address; the newest comes first. */
static int by_gathering(const void *a, const void *b)
{
    const struct gput__fleet_file *one = a, *other = b;

    if (one->gathering != other->gathering)
        return (uintptr_t)one->gathering < (uintptr_t)other->gathering ? -1 : 1;
    if (one->written != other->written && one->written >= 0 && other->written >= 0)
        return one->written > other->written ? -1 : 1;
    return (other->n_ranks > one->n_ranks) - (other->n_ranks < one->n_ranks);
}

static void drop_older_versions(struct gput__fleet *fleet)
{
    size_t n = 0;

    if (fleet->n > 1)
        qsort(fleet->files, fleet->n, sizeof(*fleet->files), by_gathering);
    for (size_t i = 0; i < fleet->n; i++) {
        const struct gput__fleet_file *newest = n > 0 ? &fleet->files[n - 1] : NULL;

        if (newest && newest->gathering && newest->gathering == fleet->files[i].gathering &&
            newest->job.id == fleet->files[i].job.id && newest->node == fleet->files[i].node)
            gput__fleet_file_free(&fleet->files[i]);
        else
            fleet->files[n++] = fleet->files[i];
    }
    fleet->n = n;
}

static int read_all(struct gathering *g, const char *const *paths, size_t n)
{
    int r = 0;

    for (size_t i = 0; r == 0 && i < n; i++)
        r = list_path(g, paths[i]);
    sort_list(&g->list);
    g->fleet->rank_points = g->list.n > MANY_FILES ? FEWER_POINTS : RANK_POINTS;
    g->fleet->node_points = g->list.n > MANY_FILES ? 2 * FEWER_POINTS : NODE_POINTS;
    for (size_t i = 0; r == 0 && i < g->list.n; i++)
        r = read_file(g, &g->list.file[i]);
    return r;
}

static int say_why(const struct gathering *g, int r, const char *first, struct gput_error *ret)
{
    const struct gput__fleet *fleet = g->fleet;
    size_t i = 0;

    while (i < fleet->n_faults && fleet->faults[i].is_harmless)
        i++;
    if (r == -E2BIG)
        snprintf(
            ret->text, sizeof(ret->text),
            "%.300s: there is too much in it that is no node file; name the folder of --fleet, or "
            "that of one job in it",
            g->folder);
    else if (r < 0)
        snprintf(ret->text, sizeof(ret->text), "%s", strerror(-r));
    else if (i < fleet->n_faults)
        snprintf(ret->text, sizeof(ret->text), "%s", fleet->faults[i].text);
    else
        snprintf(ret->text, sizeof(ret->text),
                 "%.300s: there is no node file; they are <job>/<step>/<node>.json below it",
                 first);
    return r < 0 ? r : -ENODATA;
}

int gput__fleet_read(const char *const *paths, size_t n, struct gput__fleet *ret,
                     struct gput_error *ret_err)
{
    struct gput__fleet fleet = { .n = 0 };
    struct gathering g = { .fleet = &fleet };
    int r = read_all(&g, paths, n);

    *ret_err = (struct gput_error){ .field = "" };
    if (r < 0 || fleet.n == 0)
        r = say_why(&g, r, n > 0 ? paths[0] : "", ret_err);
    drop_older_versions(&fleet);
    free(g.list.file);
    gput__buf_free(&g.text);
    if (r < 0)
        gput__fleet_free(&fleet);
    else
        *ret = fleet;
    return r;
}

bool gput__fleet_is(const char *path)
{
    char head[64] = "";
    struct stat st;
    ssize_t n;
    int fd;

    if (stat(path, &st) < 0 || S_ISDIR(st.st_mode) || !S_ISREG(st.st_mode))
        return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
    fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    n = fd >= 0 ? read(fd, head, sizeof(head) - 1) : -1;
    if (fd >= 0)
        close(fd);
    return n > 0 && strstr(head, "\"gpu-tracker-node\"");
}
