/* running_file.c - the small file by which a running tracker is found. */
#include "store/files/running_file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "source/proc/proc_stat.h"

/* A file that is being made has such a name, and no lock for a moment. */
static const char begun[] = ".new-";
static const time_t longest_making_s = 60;
/* Where the number of the descriptor stands in the text: it alone changes. */
static const char head[] = "gpu-tracker 1\nmemory ";
enum { MEMORY_DIGITS = 10, LARGEST_FILE = GPUT__RUNNING_COMMAND + 256, MOST_FILES = 10000 };

/* --- the text -------------------------------------------------------------------------------- */

int gput__running_info_format(const struct gput__running_info *info, char *ret, size_t size)
{
    int n = snprintf(ret, size, "%s%*d\ntracker %d %llu\npid %d\nsince %lld\ncommand %s\n", head,
                     MEMORY_DIGITS, info->memory, info->tracker,
                     (unsigned long long)info->tracker_start, info->pid,
                     (long long)(info->since * 1e6), info->command);

    return n < 0 || (size_t)n >= size ? -E2BIG : n;
}

static bool read_number(const char **p, const char *name, long long *ret)
{
    size_t len = strlen(name);
    char *end;

    if (strncmp(*p, name, len) != 0)
        return false;
    errno = 0;
    *ret = strtoll(*p + len, &end, 10);
    if (end == *p + len || errno || (*end != '\n' && *end != ' '))
        return false;
    *p = end + (*end == '\n');
    return true;
}

static bool is_pid(long long n)
{
    return n >= 0 && n <= 0x7fffffff;
}

int gput__running_info_parse(const char *text, size_t len, struct gput__running_info *ret)
{
    struct gput__running_info info = { .memory = -1 };
    char copy[LARGEST_FILE];
    long long memory, tracker, start, pid, since;
    const char *p = copy;
    size_t command;

    if (len >= sizeof(copy) || len == 0 || text[len - 1] != '\n' || memchr(text, '\0', len))
        return -EBADMSG;
    memcpy(copy, text, len);
    copy[len - 1] = '\0';
    if (!read_number(&p, head, &memory) || !read_number(&p, "tracker ", &tracker) ||
        !read_number(&p, " ", &start) || !read_number(&p, "pid ", &pid) ||
        !read_number(&p, "since ", &since) || strncmp(p, "command ", 8) != 0)
        return -EBADMSG;
    command = strlen(p += 8);
    if (!is_pid(tracker) || tracker == 0 || !is_pid(pid) || start < 0 || memory < -1 ||
        !is_pid(memory + 1) || command >= sizeof(info.command) || strchr(p, '\n'))
        return -EBADMSG;
    info.memory = (int)memory;
    info.tracker = (pid_t)tracker;
    info.tracker_start = (uint64_t)start;
    info.pid = (pid_t)pid;
    info.since = (double)since / 1e6;
    memcpy(info.command, p, command + 1);
    *ret = info;
    return 0;
}

/* --- which process it is --------------------------------------------------------------------- */

static int start_of(pid_t pid, uint64_t *ret)
{
    struct gput__proc_stat st;
    char name[40], text[1024];
    ssize_t n;
    int fd;

    snprintf(name, sizeof(name), "/proc/%d/stat", pid);
    fd = open(name, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return -errno;
    n = read(fd, text, sizeof(text) - 1);
    close(fd);
    text[n > 0 ? n : 0] = '\0';
    if (gput__proc_stat_parse(text, &st) < 0)
        return -EBADMSG;
    *ret = st.starttime;
    return 0;
}

bool gput__running_is_visible(const struct gput__running_info *info)
{
    uint64_t start;

    return start_of(info->tracker, &start) == 0 && start == info->tracker_start;
}

/* --- the folder ------------------------------------------------------------------------------ */

/* -ENOENT: nobody is to be found. */
static int name_folder(uid_t uid, char *ret, size_t size)
{
    const char *own = secure_getenv("GPUT_RUNNING_DIR");
    int n;

    if (own && own[0] != '/')
        return -ENOENT;
    n = own ? snprintf(ret, size, "%s", own) : snprintf(ret, size, "/tmp/gpu-tracker-%u", uid);
    return n < 0 || (size_t)n >= size ? -ENAMETOOLONG : 0;
}

/* It must be the user's own and closed to others: another user may have made one of that name. */
static int open_folder(uid_t uid, bool may_make)
{
    char name[512];
    struct stat st;
    int r = name_folder(uid, name, sizeof(name)), fd;

    if (r < 0)
        return r;
    if (may_make && mkdir(name, 0700) < 0 && errno != EEXIST)
        return -errno;
    fd = open(name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0)
        return errno == ELOOP || errno == ENOTDIR ? -EPERM : -errno;
    if (fstat(fd, &st) == 0 && st.st_uid == uid && (st.st_mode & 077) == 0)
        return fd;
    close(fd);
    return -EPERM;
}

/* --- the tracker's side ---------------------------------------------------------------------- */

void gput__running_file_init(struct gput__running_file *f)
{
    *f = (struct gput__running_file){ .folder = -1, .fd = -1 };
}

static void note_time(struct gput__running_file *f)
{
    struct stat st;

    if (fstat(f->fd, &st) == 0)
        f->seen = st.st_mtim;
}

static int write_new(struct gput__running_file *f, const char *name, const char *text, size_t len)
{
    ssize_t n;

    (void)unlinkat(f->folder, name, 0); /* of an earlier process with our pid */
    f->fd = openat(f->folder, name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (f->fd < 0 || flock(f->fd, LOCK_EX | LOCK_NB) < 0)
        return -errno;
    n = pwrite(f->fd, text, len, 0);
    if (n != (ssize_t)len)
        return n < 0 ? -errno : -ENOSPC;
    return renameat(f->folder, name, f->folder, f->name) < 0 ? -errno : 0;
}

int gput__running_file_make(struct gput__running_file *f, struct gput__running_info *info)
{
    char text[LARGEST_FILE], name[40];
    int len, r;

    info->tracker = getpid();
    info->memory = -1;
    r = start_of(info->tracker, &info->tracker_start);
    len = r < 0 ? r : gput__running_info_format(info, text, sizeof(text));
    if (len < 0)
        return len;
    f->folder = open_folder(geteuid(), true);
    if (f->folder < 0)
        return f->folder;
    snprintf(f->name, sizeof(f->name), "%d", info->tracker);
    snprintf(name, sizeof(name), "%s%s", begun, f->name);
    r = write_new(f, name, text, (size_t)len);
    if (r < 0) {
        (void)unlinkat(f->folder, name, 0);
        f->name[0] = '\0';
        gput__running_file_remove(f);
        return r;
    }
    note_time(f);
    return 0;
}

int gput__running_file_set_memory(struct gput__running_file *f, int memory)
{
    char number[MEMORY_DIGITS + 2];
    ssize_t n;

    snprintf(number, sizeof(number), "%*d", MEMORY_DIGITS, memory);
    n = pwrite(f->fd, number, MEMORY_DIGITS, sizeof(head) - 1);
    if (n != MEMORY_DIGITS)
        return n < 0 ? -errno : -ENOSPC;
    note_time(f);
    return 0;
}

bool gput__running_file_is_touched(struct gput__running_file *f)
{
    struct timespec before = f->seen;

    if (f->fd < 0)
        return false;
    note_time(f);
    return f->seen.tv_sec != before.tv_sec || f->seen.tv_nsec != before.tv_nsec;
}

/* Only while it is ours: another one may have the name by now, where all of the folder was removed. */
void gput__running_file_remove(struct gput__running_file *f)
{
    struct stat own, there;

    if (f->fd >= 0 && f->name[0] && fstat(f->fd, &own) == 0 &&
        fstatat(f->folder, f->name, &there, AT_SYMLINK_NOFOLLOW) == 0 &&
        own.st_ino == there.st_ino && own.st_dev == there.st_dev)
        (void)unlinkat(f->folder, f->name, 0);
    if (f->fd >= 0)
        close(f->fd);
    if (f->folder >= 0)
        close(f->folder);
    gput__running_file_init(f);
}

/* --- the viewers' ---------------------------------------------------------------------------- */

/* Nobody holds the lock: its tracker is no more. */
static bool is_left(int fd)
{
    if (flock(fd, LOCK_SH | LOCK_NB) < 0)
        return false;
    (void)flock(fd, LOCK_UN);
    return true;
}

static int open_file(int folder, const char *name)
{
    int fd = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    struct stat st;

    if (fd < 0)
        return -errno;
    if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode))
        return fd;
    close(fd);
    return -EPERM;
}

/* -ESRCH: it was left behind, and is removed. */
static int read_file(int folder, const char *name, uid_t uid, struct gput__running_info *ret)
{
    int fd = open_file(folder, name), r;
    char text[LARGEST_FILE];
    ssize_t n;

    if (fd < 0)
        return fd;
    n = pread(fd, text, sizeof(text), 0);
    r = n < 0 ? -errno : gput__running_info_parse(text, (size_t)n, ret);
    if (r == 0)
        ret->uid = uid;
    if (is_left(fd)) {
        (void)unlinkat(folder, name, 0);
        r = -ESRCH;
    }
    close(fd);
    return r;
}

/* What a tracker left that was killed while it made its file. */
static void remove_begun(int folder, const char *name)
{
    int fd = open_file(folder, name);
    struct stat st;

    if (fd < 0)
        return;
    if (fstat(fd, &st) == 0 && st.st_mtime + longest_making_s < time(NULL) && is_left(fd))
        (void)unlinkat(folder, name, 0);
    close(fd);
}

struct list {
    struct gput__running_info *all;
    int n, cap;
};

static int add(struct list *l, const struct gput__running_info *info)
{
    int cap = l->cap ? l->cap * 2 : 16;
    struct gput__running_info *more;

    if (l->n == l->cap) {
        more = realloc(l->all, (size_t)cap * sizeof(*more));
        if (!more)
            return -ENOMEM;
        l->all = more;
        l->cap = cap;
    }
    l->all[l->n++] = *info;
    return 0;
}

static int list_folder(uid_t uid, struct list *l)
{
    int folder = open_folder(uid, false), r = 0;
    struct dirent *entry;
    DIR *dir;

    if (folder < 0)
        return folder == -ENOENT ? 0 : folder;
    dir = fdopendir(folder);
    if (!dir) {
        close(folder);
        return -ENOMEM;
    }
    while (r == 0 && l->n < MOST_FILES && (entry = readdir(dir))) {
        struct gput__running_info info;

        if (strncmp(entry->d_name, begun, sizeof(begun) - 1) == 0)
            remove_begun(folder, entry->d_name);
        else if (entry->d_name[0] != '.' && read_file(folder, entry->d_name, uid, &info) == 0)
            r = add(l, &info);
    }
    closedir(dir);
    return r;
}

/* Root sees those of all users. */
static int list_others(struct list *l)
{
    static const char prefix[] = "gpu-tracker-";
    DIR *dir = opendir("/tmp");
    struct dirent *entry;
    int r = 0;

    while (dir && r == 0 && (entry = readdir(dir))) {
        const char *number = entry->d_name + sizeof(prefix) - 1;
        unsigned long uid;
        char *end;

        if (strncmp(entry->d_name, prefix, sizeof(prefix) - 1) != 0)
            continue;
        uid = strtoul(number, &end, 10);
        if (end == number || *end || uid == geteuid() || uid > UINT32_MAX)
            continue;
        r = list_folder((uid_t)uid, l) == -ENOMEM ? -ENOMEM : 0;
    }
    if (dir)
        closedir(dir);
    return r;
}

static int compare(const void *a, const void *b)
{
    const struct gput__running_info *x = a, *y = b;

    return (x->since < y->since) - (x->since > y->since);
}

int gput__running_files_list(struct gput__running_info **ret)
{
    struct list l = { 0 };
    int r = list_folder(geteuid(), &l);

    if (r == 0 && geteuid() == 0 && !secure_getenv("GPUT_RUNNING_DIR"))
        r = list_others(&l);
    if (r < 0) {
        free(l.all);
        return r;
    }
    if (l.n)
        qsort(l.all, (size_t)l.n, sizeof(*l.all), compare);
    *ret = l.all;
    return l.n;
}

int gput__running_file_touch(struct gput__running_info *info)
{
    int folder = open_folder(info->uid, false), fd, r;
    struct gput__running_info now;
    char name[24];

    if (folder < 0)
        return folder == -ENOENT ? -ESRCH : folder;
    snprintf(name, sizeof(name), "%d", info->tracker);
    r = read_file(folder, name, info->uid, &now);
    if (r == 0 && now.tracker_start != info->tracker_start)
        r = -ESRCH;
    fd = r == 0 ? open_file(folder, name) : r;
    close(folder);
    if (fd < 0)
        return fd == -ENOENT ? -ESRCH : fd;
    r = futimens(fd, NULL) < 0 ? -errno : 0;
    close(fd);
    if (r == 0)
        *info = now;
    return r;
}
