/* capi.h - what the tests of the C API share.  They use gput.h alone; the helper is $GPUT_HELPER. */
#ifndef CAPI_H
#define CAPI_H

#include <dirent.h>
#include <pthread.h>
#include <stdbool.h>

#include "appetite.h"
#include "gput.h"
#include "tap.h"

/* Longer than anything takes on a busy machine; only a test that fails waits so long. */
#define LONG 20.0

static inline _Noreturn void bail(const char *what, const char *why)
{
    printf("Bail out! %s: %s\n", what, why);
    exit(1);
}

static inline bool env_is(const char *name, const char *value)
{
    const char *word = getenv(name);

    return word && strcmp(word, value) == 0;
}

/* An ASan build: slow, and its memory tells nothing. */
static inline bool is_sanitized(void)
{
    return env_is("SANITIZED", "1");
}

/* As many rounds as it takes to be sure; not for every day. */
static inline bool is_full(void)
{
    return env_is("TRUTH", "full");
}

/* Text and files in bytes and seconds, and a record often enough not to be waited for. */
static inline struct gput_options quick(void)
{
    struct gput_options o = GPUT_OPTIONS_INIT;

    o.sleep_time = 0.05;
    o.ram_unit = o.gpu_ram_unit = "bytes";
    o.time_unit = "seconds";
    return o;
}

static inline struct gput_tracker *opened(const struct gput_options *o)
{
    struct gput_tracker *t = NULL;
    struct gput_error e = { "", "" };

    if (gput_tracker_open(o, &t, &e) < 0)
        bail("gput_tracker_open", e.text);
    return t;
}

static inline struct gput_tracker *started(const struct gput_options *o)
{
    struct gput_tracker *t = opened(o);
    struct gput_error e = { "", "" };

    if (gput_tracker_start(t, &e) < 0)
        bail("gput_tracker_start", e.text);
    return t;
}

static inline struct gput_usage usage_of(const struct gput_tracker *t)
{
    struct gput_usage u = { .size = sizeof(u) };
    int r = gput_tracker_usage(t, &u);

    if (r < 0)
        bail("gput_tracker_usage", strerror(-r));
    return u;
}

static inline struct gput_now now_of(const struct gput_tracker *t)
{
    struct gput_now now = { 0 };

    gput_tracker_now(t, &now);
    return now;
}

/* For what comes sooner or later, if it is to come at all. */
#define WAIT_UNTIL(condition)                                                                      \
    for (double limit_ = now_s() + LONG; !(condition) && now_s() < limit_;)                        \
    sleep_for(0.005)

/* The result as text or JSON; the caller frees it. */
static inline char *written(const struct gput_usage *u, enum gput_format format, int full)
{
    char *text = NULL;
    int r = gput_usage_format(u, format, full, &text);

    if (r < 0)
        bail("gput_usage_format", strerror(-r));
    return text;
}

/* --- files ---------------------------------------------------------------------------------- */

/* A folder that is removed at the end with the files in it. */
struct scratch {
    char path[32];
};

static inline void scratch_begin(struct scratch *s)
{
    strcpy(s->path, "/tmp/gput-capi.XXXXXX");
    if (!mkdtemp(s->path))
        bail("mkdtemp", strerror(errno));
}

/* Good until the next call but seven: several names can stand in one expression. */
static inline const char *scratch_file(const struct scratch *s, const char *name)
{
    static char paths[8][128];
    static unsigned turn;
    char *path = paths[turn++ % 8];

    snprintf(path, sizeof(paths[0]), "%s/%s", s->path, name);
    return path;
}

static inline void put_text(const char *path, const char *text)
{
    FILE *f = fopen(path, "we");

    if (!f || fputs(text, f) < 0 || fclose(f) != 0)
        bail(path, strerror(errno));
}

/* NULL: it cannot be read.  The caller frees it. */
static inline char *text_of(const char *path)
{
    FILE *f = fopen(path, "re");
    char *text = NULL;
    size_t cap = 0;

    if (!f)
        return NULL;
    if (getdelim(&text, &cap, '\0', f) < 0) {
        free(text);
        text = strdup("");
    }
    fclose(f);
    return text;
}

/* How many entries a folder has; -1: it cannot be read. */
static inline int n_entries(const char *path)
{
    DIR *d = opendir(path);
    int n = 0;

    if (!d)
        return -1;
    while (readdir(d))
        n++;
    closedir(d);
    return n - 2; /* . and .. */
}

static inline void scratch_end(struct scratch *s)
{
    DIR *d = opendir(s->path);
    struct dirent *e;

    while (d && (e = readdir(d)))
        (void)unlinkat(dirfd(d), e->d_name, 0);
    if (d)
        closedir(d);
    (void)rmdir(s->path);
}

/* --- processes ------------------------------------------------------------------------------ */

static inline int n_fds(void)
{
    return n_entries("/proc/self/fd") - 1; /* the one that reads the folder */
}

static inline int n_threads(void)
{
    return n_entries("/proc/self/task");
}

static inline int n_mappings(void)
{
    char *maps = text_of("/proc/self/maps");
    int n = 0;

    for (const char *p = maps; p && (p = strchr(p, '\n')); p++)
        n++;
    free(maps);
    return n;
}

/* State and parent of a process; false: there is none. */
static inline bool read_stat(pid_t pid, char *ret_state, pid_t *ret_parent)
{
    char path[32], *text, *p;
    bool is_there;

    snprintf(path, sizeof(path), "/proc/%d/stat", pid);
    text = text_of(path);
    p = text ? strrchr(text, ')') : NULL;
    is_there = p && sscanf(p + 1, " %c %d", ret_state, ret_parent) == 2;
    free(text);
    return is_there;
}

/* The children of this process, zombies too: how many, and the pid of the last. */
static inline int n_children(pid_t *ret_pid)
{
    DIR *d = opendir("/proc");
    struct dirent *e;
    int n = 0;

    while (d && (e = readdir(d))) {
        pid_t pid = (pid_t)strtol(e->d_name, NULL, 10), parent;
        char state;

        if (pid <= 0 || !read_stat(pid, &state, &parent) || parent != getpid())
            continue;
        n++;
        if (ret_pid)
            *ret_pid = pid;
    }
    if (d)
        closedir(d);
    return n;
}

/* The helper's pid, where the helper is the only child. */
static inline pid_t helper_pid(void)
{
    pid_t pid = 0;

    if (n_children(&pid) != 1)
        bail("helper_pid", "there is not exactly one child");
    return pid;
}

static inline bool has_ended(pid_t pid)
{
    pid_t parent;
    char state;

    return !read_stat(pid, &state, &parent) || state == 'Z' || state == 'X';
}

static inline bool ends_within(pid_t pid, double seconds)
{
    double end = now_s() + seconds;

    while (!has_ended(pid)) {
        if (now_s() > end)
            return false;
        sleep_for(0.005);
    }
    return true;
}

static inline int status_of(pid_t pid)
{
    int status = -1;

    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    return status;
}

/* Runs a function in a child; true if it returned true. */
static inline bool in_child(bool (*function)(void *), void *ctx)
{
    pid_t pid = fork_or_die();

    if (pid == 0)
        _exit(function(ctx) ? 0 : 1);
    return status_of(pid) == 0;
}

/* Runs a function in a thread of its own, to its end. */
static inline void in_thread(void *(*function)(void *), void *ctx)
{
    pthread_t thread;

    if (pthread_create(&thread, NULL, function, ctx) != 0)
        bail("pthread_create", "failed");
    pthread_join(thread, NULL);
}

#endif
