/* golden.c - whole runs on machines made of files: text and JSON, byte for byte.
 *
 *     golden FOLDER [CASE...]             compares with cases/CASE/expected*
 *     golden --update FOLDER [CASE...]    rewrites them (GOLDEN_UPDATE=1 does the same)
 *
 * The product's own loop runs, from gput_tracker_open() to gput_usage_format().  What it asks the
 * kernel for other than by /proc and /sys (the clock, poll, wait4 ...) is answered here: the linker
 * puts a __wrap_ function in the place of each such call, see meson.build.
 *
 *     cases/CASE/case         the run: keys below, in read_run()
 *     cases/CASE/N/clock      moment N: when it is, see enter_moment()
 *     cases/CASE/N/proc, sys  what the kernel shows then; no folder: nothing
 *     cases/CASE/N/statvfs    what file systems tell then: block size, blocks, free, free for all, mount
 *     cases/CASE/N/ended/PID  a child of the tracker's that has ended: what wait4 says then
 *
 * make_cases.py writes them, and checks what is expected against figures worked out by hand. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <unistd.h>

#include "api/tracker.h"
#include "base/clock.h"
#include "base/text/scan.h"
#include "tap.h"

enum { MAX_ENDED = 8, MAX_ARGS = 8, MAX_CASES = 64 };

/* A clock of no kernel's: the CPU time of a child that has ended. */
#define CLOCK_OF_THE_DEAD ((clockid_t)-1000)

struct ended { /* a child of the tracker's, not yet waited for */
    pid_t pid;
    int status;
    uint64_t own_ns;
    struct rusage usage;
};

static struct machine {
    char dir[400];
    int moment; /* the last one that was entered */
    int64_t boot_ns, real_ns;
    pid_t tracker_pid, main_pid;
    bool other_children; /* the tracker has children that live */
    bool main_over;
    struct ended ended[MAX_ENDED];
    int n_ended;
    struct gput_tracker *t;
} machine;

/* --- files of keys and values --------------------------------------------------------------- */

/* NULL: no such file.  free() it. */
static char *read_file(const char *path)
{
    size_t cap = 1 << 20, n;
    FILE *f = fopen(path, "r");
    char *text = f ? malloc(cap) : NULL;

    if (text) {
        n = fread(text, 1, cap - 1, f);
        text[n] = '\0';
    }
    if (f)
        fclose(f);
    return text;
}

__attribute__((format(printf, 1, 2))) static char *read_of_case(const char *fmt, ...)
{
    char path[1000];
    int n = snprintf(path, sizeof(path), "%s/", machine.dir);
    va_list args;

    va_start(args, fmt);
    vsnprintf(path + n, sizeof(path) - (size_t)n, fmt, args);
    va_end(args);
    return read_file(path);
}

/* 0 where there is no such line. */
static uint64_t number(const char *text, const char *key)
{
    uint64_t v = 0;

    (void)gput__scan_key(text, key, &v);
    return v;
}

/* The rest of the n-th line that begins with the key, "" where there is none.  free() it. */
static char *words(const char *text, const char *key, int nth)
{
    size_t n = strlen(key);

    for (const char *line = text; *line; line = strchrnul(line, '\n')) {
        line += *line == '\n';
        if (!strncmp(line, key, n) && line[n] == ' ' && nth-- == 0)
            return strndup(line + n + 1, (size_t)(strchrnul(line, '\n') - line) - n - 1);
    }
    return strdup("");
}

/* --- moments -------------------------------------------------------------------------------- */

/* The file says as wait4 does; own_ns is the CPU clock of the process, without its children. */
static void record_end(pid_t pid, const char *text)
{
    struct ended *e = &machine.ended[machine.n_ended++];
    uint64_t user_us = number(text, "utime_us"), system_us = number(text, "stime_us");

    *e = (struct ended){ .pid = pid, .own_ns = number(text, "own_ns") };
    e->status = (int)(number(text, "exit") << 8 | number(text, "signal"));
    e->usage.ru_utime =
        (struct timeval){ (time_t)(user_us / 1000000), (suseconds_t)(user_us % 1000000) };
    e->usage.ru_stime =
        (struct timeval){ (time_t)(system_us / 1000000), (suseconds_t)(system_us % 1000000) };
    e->usage.ru_maxrss = (long)number(text, "maxrss_kib");
    e->usage.ru_minflt = (long)number(text, "minflt");
    e->usage.ru_majflt = (long)number(text, "majflt");
    e->usage.ru_nvcsw = (long)number(text, "nvcsw");
    e->usage.ru_nivcsw = (long)number(text, "nivcsw");
    e->usage.ru_inblock = (long)number(text, "inblock");
    e->usage.ru_oublock = (long)number(text, "oublock");
    machine.main_over |= pid == machine.main_pid;
}

static void list_ended(void)
{
    char path[500];
    struct dirent *entry;
    DIR *dir;

    snprintf(path, sizeof(path), "%s/%d/ended", machine.dir, machine.moment);
    dir = opendir(path);
    while (dir && (entry = readdir(dir))) {
        char *text;

        if (entry->d_name[0] == '.' || machine.n_ended == MAX_ENDED)
            continue;
        text = read_of_case("%d/ended/%s", machine.moment, entry->d_name);
        if (text)
            record_end((pid_t)atoi(entry->d_name), text);
        free(text);
    }
    if (dir)
        closedir(dir);
}

static void swap_root(struct gput__root *root, const char *name)
{
    char path[500];

    gput__root_close(root);
    snprintf(path, sizeof(path), "%s/%d/%s", machine.dir, machine.moment, name);
    (void)gput__root_open(path, NULL, root);
}

/* false: there is no such moment. */
static bool enter_moment(int moment)
{
    char *clock = read_of_case("%d/clock", moment);

    if (!clock)
        return false;
    machine.moment = moment;
    machine.boot_ns = (int64_t)number(clock, "boot_ns");
    machine.real_ns = (int64_t)number(clock, "real_ns");
    machine.other_children = number(clock, "children");
    machine.main_over |= number(clock, "gone"); /* an attached process has ended */
    if (number(clock, "term"))                  /* the tracker itself is told to stop */
        raise(SIGTERM);
    free(clock);
    list_ended();
    if (machine.t) {
        swap_root(&machine.t->sampler.proc, "proc");
        swap_root(&machine.t->sampler.sys, "sys");
    }
    return true;
}

/* --- the kernel's answers ------------------------------------------------------------------- */

int __wrap_poll(struct pollfd *fds, nfds_t n, int timeout);
int __wrap___poll_chk(struct pollfd *fds, nfds_t n, int timeout, size_t size);
int __wrap_clock_gettime(clockid_t id, struct timespec *ret);
int __wrap_clock_getcpuclockid(pid_t pid, clockid_t *ret);
pid_t __wrap_wait4(pid_t pid, int *ret_status, int options, struct rusage *ret_usage);
int __wrap_waitid(idtype_t type, id_t id, siginfo_t *ret, int options);
pid_t __wrap_getpid(void);
int __wrap_statvfs(const char *path, struct statvfs *ret);
int __wrap_statvfs64(const char *path, struct statvfs *ret);
long __real_sysconf(int name);
long __wrap_sysconf(int name);
int __wrap_gput__spawn(struct gput_tracker *t, char *const argv[], pid_t *ret_pid);

static bool is_readable(const struct pollfd *p)
{
    const struct gput_tracker *t = machine.t;

    if (p->fd < 0)
        return false;
    if (p->fd == t->job.pidfd)
        return machine.main_over;
    if (p->fd == t->signals.fd)
        return machine.n_ended > 0 || t->job.attached;
    return p->fd == t->timer_fd && !machine.main_over;
}

/* To wait is to go on to the next moment: there the timer has expired, or a child has ended. */
int __wrap_poll(struct pollfd *fds, nfds_t n, int timeout)
{
    int ready = 0;

    if (timeout != 0 && !enter_moment(machine.moment + 1)) {
        errno = ENODATA;
        return -1;
    }
    for (nfds_t i = 0; i < n; i++) {
        fds[i].revents = is_readable(&fds[i]) ? POLLIN : 0;
        ready += fds[i].revents != 0;
    }
    return ready;
}

int __wrap___poll_chk(struct pollfd *fds, nfds_t n, int timeout, size_t size)
{
    (void)size;
    return __wrap_poll(fds, n, timeout);
}

int __wrap_clock_gettime(clockid_t id, struct timespec *ret)
{
    int64_t ns = id == CLOCK_REALTIME      ? machine.real_ns
                 : id == CLOCK_BOOTTIME    ? machine.boot_ns
                 : id == CLOCK_OF_THE_DEAD ? (int64_t)machine.ended[0].own_ns
                                           : 0; /* our own CPU time: looks cost nothing */

    *ret = (struct timespec){ ns / GPUT__NS_PER_S, ns % GPUT__NS_PER_S };
    return 0;
}

int __wrap_clock_getcpuclockid(pid_t pid, clockid_t *ret)
{
    if (machine.n_ended == 0 || machine.ended[0].pid != pid)
        return ESRCH;
    *ret = CLOCK_OF_THE_DEAD;
    return 0;
}

pid_t __wrap_wait4(pid_t pid, int *ret_status, int options, struct rusage *ret_usage)
{
    (void)options;
    if (machine.n_ended == 0 || machine.ended[0].pid != pid) {
        errno = ECHILD;
        return -1;
    }
    *ret_status = machine.ended[0].status;
    *ret_usage = machine.ended[0].usage;
    machine.n_ended--;
    memmove(machine.ended, machine.ended + 1, (size_t)machine.n_ended * sizeof(*machine.ended));
    return pid;
}

int __wrap_waitid(idtype_t type, id_t id, siginfo_t *ret, int options)
{
    (void)type, (void)id, (void)options;
    *ret = (siginfo_t){ 0 };
    if (machine.n_ended > 0) {
        ret->si_pid = machine.ended[0].pid;
        return 0;
    }
    if (!machine.main_over || machine.other_children)
        return 0;
    errno = ECHILD;
    return -1;
}

pid_t __wrap_getpid(void)
{
    return machine.tracker_pid;
}

long __wrap_sysconf(int name)
{
    return name == _SC_CLK_TCK ? 100 : name == _SC_PAGESIZE ? 4096 : __real_sysconf(name);
}

int __wrap_statvfs(const char *path, struct statvfs *ret)
{
    char *text = read_of_case("%d/statvfs", machine.moment);
    uint64_t n[4] = { 0 };
    bool found = false;

    for (const char *p = text; p && *p && !found; p = strchrnul(p, '\n')) {
        p += *p == '\n';
        for (int i = 0; i < 4; i++)
            (void)gput__scan_u64(&p, &n[i]);
        found = *p == ' ' && !strncmp(p + 1, path, strlen(path)) && p[1 + strlen(path)] == '\n';
    }
    free(text);
    *ret =
        (struct statvfs){ .f_frsize = n[0], .f_blocks = n[1], .f_bfree = n[2], .f_bavail = n[3] };
    errno = ENOENT;
    return found ? 0 : -1;
}

int __wrap_statvfs64(const char *path, struct statvfs *ret)
{
    return __wrap_statvfs(path, ret);
}

int __wrap_gput__spawn(struct gput_tracker *t, char *const argv[], pid_t *ret_pid)
{
    (void)t, (void)argv;
    *ret_pid = machine.main_pid;
    return 0;
}

/* --- a run ---------------------------------------------------------------------------------- */

struct run {
    struct gput_options opts;
    char *strings[5]; /* that the options point to */
    char *argv[MAX_ARGS + 1];
    bool attach;
    uint64_t tracker_cpu_us, tracker_rss; /* the only figures of the process that runs this */
};

static const char *kept(struct run *run, int i, char *text)
{
    run->strings[i] = text;
    return *text ? text : NULL;
}

static void read_run(const char *text, struct run *ret)
{
    char root[500];

    *ret = (struct run){ .opts = GPUT_OPTIONS_INIT };
    machine.main_pid = (pid_t)number(text, "main");
    machine.tracker_pid = (pid_t)number(text, "tracker");
    ret->attach = number(text, "attach");
    ret->opts.flags = (number(text, "no_subreaper") ? GPUT_NO_SUBREAPER : 0u) |
                      (number(text, "want_all") ? GPUT_WANT_ALL : 0u);
    ret->opts.sleep_time = (double)number(text, "period_ms") / 1e3;
    ret->opts.n_expected_cores = (int)number(text, "n_expected_cores");
    ret->opts.ram_unit = kept(ret, 0, words(text, "ram_unit", 0));
    ret->opts.gpu_ram_unit = kept(ret, 1, words(text, "gpu_ram_unit", 0));
    ret->opts.time_unit = kept(ret, 2, words(text, "time_unit", 0));
    snprintf(root, sizeof(root), "%s/0/proc", machine.dir);
    ret->opts.run_id = "00000000000000000000000000000001";
    ret->opts.folder = "/golden";
    ret->opts.nvml_path = "/nowhere/libnvidia-ml.so.1"; /* not that of the machine that tests */
    ret->opts.proc_root = kept(ret, 3, strdup(root));
    snprintf(root, sizeof(root), "%s/0/sys", machine.dir);
    ret->opts.sys_root = kept(ret, 4, strdup(root));
    ret->tracker_cpu_us = number(text, "tracker_cpu_us");
    ret->tracker_rss = number(text, "tracker_rss_kib") * 1024;
    for (int i = 0; i < MAX_ARGS; i++) {
        char *arg = words(text, "arg", i);

        if (*arg)
            ret->argv[i] = arg;
        else
            free(arg);
    }
}

static void free_run(struct run *run)
{
    for (size_t i = 0; i < sizeof(run->strings) / sizeof(*run->strings); i++)
        free(run->strings[i]);
    for (int i = 0; i < MAX_ARGS; i++)
        free(run->argv[i]);
}

static int begin(struct run *run, struct gput_error *err)
{
    struct gput_tracker *t = NULL;
    int r = gput_tracker_open(&run->opts, &t, err);

    if (r < 0)
        return r;
    machine.t = t;
    if (run->attach)
        r = gput_tracker_attach(t, machine.main_pid, err);
    else
        r = gput_tracker_spawn(t, run->argv, err);
    if (t->job.pidfd >= 0)
        close(t->job.pidfd);
    t->job.pidfd =
        eventfd(0, EFD_CLOEXEC); /* any descriptor does: __wrap_poll() knows its meaning */
    t->job.floor_rss = run->tracker_rss;
    return r;
}

static int track(struct run *run, struct gput_usage *ret)
{
    struct gput_error err = { "", "" };
    int r = -ENOENT;

    if (enter_moment(0))
        r = begin(run, &err);
    if (r == 0)
        r = gput_tracker_wait(machine.t);
    if (!OK(r == 0, "%s: the run goes through", strrchr(machine.dir, '/') + 1)) {
        printf("# moment %d: %s %s %s\n", machine.moment, strerror(-r), err.field, err.text);
        return r;
    }
    ret->size = sizeof(*ret);
    r = gput_tracker_usage(machine.t, ret);
    ret->run.version = "0.0.0"; /* the files need not change with it */
    ret->tracker.cpu_seconds.value = (double)run->tracker_cpu_us / 1e6;
    ret->tracker.max_rss.value = (double)run->tracker_rss;
    return r;
}

/* --- what came out -------------------------------------------------------------------------- */

static const struct {
    const char *file;
    enum gput_format format;
    int full;
} outputs[] = {
    { "expected.txt", GPUT_TEXT, 0 },
    { "expected.json", GPUT_JSON, 0 },
    { "expected-full.txt", GPUT_TEXT, 1 },
    { "expected-full.json", GPUT_JSON, 1 },
};

static void show_first_difference(const char *want, const char *got)
{
    int line = 1;

    while (*want && *got) {
        size_t n = strcspn(want, "\n"), k = strcspn(got, "\n");

        if (n != k || memcmp(want, got, n))
            break;
        want += n + (want[n] == '\n');
        got += k + (got[k] == '\n');
        line++;
    }
    printf("# line %d: expected '%.*s'\n", line, (int)strcspn(want, "\n"), want);
    printf("# line %d:      got '%.*s'\n", line, (int)strcspn(got, "\n"), got);
}

static void write_expected(const char *file, const char *text)
{
    char path[500];
    FILE *f;

    snprintf(path, sizeof(path), "%s/%s", machine.dir, file);
    f = fopen(path, "w");
    OK(f && fputs(text, f) >= 0 && fclose(f) == 0, "%s is written", path);
}

static void compare(const char *file, const char *text)
{
    char *want = read_of_case("%s", file);

    if (!OK(want && !strcmp(want, text), "%s: %s", strrchr(machine.dir, '/') + 1, file))
        show_first_difference(want ? want : "", text);
    free(want);
}

static void check_outputs(const struct gput_usage *u, bool update)
{
    for (size_t i = 0; i < sizeof(outputs) / sizeof(*outputs); i++) {
        char *text = NULL;

        if (gput_usage_format(u, outputs[i].format, outputs[i].full, &text) < 0)
            OK(false, "%s: %s is formatted", machine.dir, outputs[i].file);
        else if (update)
            write_expected(outputs[i].file, text);
        else
            compare(outputs[i].file, text);
        free(text);
    }
}

static void run_case(const char *folder, const char *name, bool update)
{
    struct gput_usage usage = { 0 };
    struct run run;
    char *text;

    machine = (struct machine){ .moment = -1 };
    snprintf(machine.dir, sizeof(machine.dir), "%s/cases/%s", folder, name);
    text = read_of_case("case");
    if (!OK(text, "%s: there is such a case", name))
        return;
    read_run(text, &run);
    if (track(&run, &usage) == 0)
        check_outputs(&usage, update);
    machine.t = gput_tracker_close(machine.t);
    free_run(&run);
    free(text);
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static int list_cases(const char *folder, char *ret[MAX_CASES])
{
    char path[500];
    struct dirent *entry;
    DIR *dir;
    int n = 0;

    snprintf(path, sizeof(path), "%s/cases", folder);
    dir = opendir(path);
    while (dir && n < MAX_CASES && (entry = readdir(dir)))
        if (entry->d_name[0] != '.')
            ret[n++] = strdup(entry->d_name);
    if (dir)
        closedir(dir);
    qsort(ret, (size_t)n, sizeof(*ret), by_name);
    return n;
}

int main(int argc, char **argv)
{
    const char *asked = getenv("GOLDEN_UPDATE");
    bool update = asked && !strcmp(asked, "1");
    char *names[MAX_CASES];
    int n;

    if (argc > 1 && !strcmp(argv[1], "--update")) {
        update = true;
        argc--;
        argv++;
    }
    if (argc < 2) {
        fprintf(stderr, "usage: golden [--update] FOLDER [CASE...]\n");
        return 2;
    }
    for (int i = 2; i < argc; i++)
        run_case(argv[1], argv[i], update);
    if (argc > 2)
        return DONE();
    n = list_cases(argv[1], names);
    OK(n > 0, "there are cases");
    for (int i = 0; i < n; i++) {
        run_case(argv[1], names[i], update);
        free(names[i]);
    }
    return DONE();
}
