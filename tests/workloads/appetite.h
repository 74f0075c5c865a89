/* appetite.h - what the workloads share: programs of known appetite, and the truth they print.
 *
 * Each workload takes words of the form name=value (`bytes=500M seconds=2.5 truth=FILE`) and
 * prints one line of JSON at its end, to standard error or to the file of truth=, which says what
 * it really took.  The tests compare a tracker's figures with that line, never with a constant. */
#ifndef APPETITE_H
#define APPETITE_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define PAGE ((size_t)4096)

static inline _Noreturn void die(const char *what)
{
    fprintf(stderr, "workload: %s: %s\n", what, strerror(errno));
    exit(99);
}

/* --- arguments ------------------------------------------------------------------------------ */

static inline const char *arg_text(char **argv, const char *name, const char *otherwise)
{
    size_t n = strlen(name);

    for (char **a = argv + 1; *a; a++)
        if (strncmp(*a, name, n) == 0 && (*a)[n] == '=')
            return *a + n + 1;
    return otherwise;
}

/* A number with an optional k, M or G (powers of 1000, as the tracker's units are). */
static inline double arg_num(char **argv, const char *name, double otherwise)
{
    const char *text = arg_text(argv, name, NULL);
    char *end;
    double v;

    if (!text)
        return otherwise;
    v = strtod(text, &end);
    if (*end == 'k')
        v *= 1e3, end++;
    else if (*end == 'M')
        v *= 1e6, end++;
    else if (*end == 'G')
        v *= 1e9, end++;
    if (end == text || *end || v < 0) {
        fprintf(stderr, "workload: bad number: %s=%s\n", name, text);
        exit(99);
    }
    return v;
}

static inline int arg_int(char **argv, const char *name, int otherwise)
{
    return (int)arg_num(argv, name, otherwise);
}

/* Whole pages, so that what was asked for and what is resident are the same number. */
static inline size_t arg_bytes(char **argv, const char *name, double otherwise)
{
    size_t bytes = (size_t)arg_num(argv, name, otherwise);

    return (bytes + PAGE - 1) / PAGE * PAGE;
}

/* `names` is " a b c ": a misspelt word must not silently run the default workload. */
static inline void arg_check(char **argv, const char *names)
{
    for (char **a = argv + 1; *a; a++) {
        size_t n = strcspn(*a, "=");
        char word[64];

        snprintf(word, sizeof(word), " %.*s ", (int)n, *a);
        if ((*a)[n] != '=' || (!strstr(names, word) && !strstr(" delay truth ", word))) {
            fprintf(stderr, "workload: unknown word %s (known: delay truth%s)\n", *a, names);
            exit(99);
        }
    }
}

/* --- time ----------------------------------------------------------------------------------- */

static inline double clock_s(clockid_t id)
{
    struct timespec ts;

    clock_gettime(id, &ts);
    return (double)ts.tv_sec + (double)ts.tv_nsec * 1e-9;
}

static inline double now_s(void)
{
    return clock_s(CLOCK_MONOTONIC);
}

/* Absolute, so that a loop of sleeps does not drift. */
static inline void sleep_until(double when)
{
    time_t whole = (time_t)when;
    struct timespec ts = { .tv_sec = whole, .tv_nsec = (long)((when - (double)whole) * 1e9) };

    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &ts, NULL) == EINTR)
        ;
}

static inline void sleep_for(double seconds)
{
    if (seconds > 0)
        sleep_until(now_s() + seconds);
}

/* Uses the processor, without a page fault and almost without the kernel, until this thread has
 * used `cpu` seconds of it in all. */
static inline void burn_to(double cpu)
{
    volatile unsigned x = 1;

    while (clock_s(CLOCK_THREAD_CPUTIME_ID) < cpu)
        for (int i = 0; i < 20000; i++)
            x = x * 1664525u + 1013904223u;
}

static inline void burn(double seconds)
{
    burn_to(clock_s(CLOCK_THREAD_CPUTIME_ID) + seconds);
}

/* Burns `share` of each `period` until `seconds` of wall time have passed, at absolute times. */
static inline void burn_share(double share, double period, double seconds)
{
    double start = now_s();

    for (int i = 0; (double)i * period < seconds - 1e-9; i++) {
        burn(share * period);
        sleep_until(start + (double)(i + 1) * period);
    }
}

/* --- memory --------------------------------------------------------------------------------- */

/* Writes something else into each page: nothing for a zero page or for KSM to merge. */
static inline void touch(char *p, size_t bytes)
{
    static uint64_t seed = 0x9e3779b97f4a7c15u;

    for (size_t at = 0; at < bytes; at += PAGE) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        memcpy(p + at, &seed, sizeof(seed));
        memcpy(p + at + PAGE / 2, &seed, sizeof(seed));
    }
}

static inline uint64_t read_all(const char *p, size_t bytes)
{
    uint64_t sum = 0;

    for (size_t at = 0; at < bytes; at += PAGE)
        sum += (uint64_t)(unsigned char)p[at];
    return sum;
}

/* Memory that is mapped, not touched; no huge pages, so that pages are counted one by one. */
static inline char *map_bytes(size_t bytes, int flags, int fd, off_t offset)
{
    char *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, flags, fd, offset);

    if (p == MAP_FAILED)
        die("mmap");
    madvise(p, bytes, MADV_NOHUGEPAGE);
    return p;
}

static inline char *take(size_t bytes)
{
    char *p;

    if (bytes == 0)
        return NULL;
    p = map_bytes(bytes, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    touch(p, bytes);
    return p;
}

static inline void give_back(char *p, size_t bytes)
{
    if (p && munmap(p, bytes) < 0)
        die("munmap");
}

/* --- processes ------------------------------------------------------------------------------ */

static inline pid_t fork_or_die(void)
{
    pid_t pid = fork();

    if (pid < 0)
        die("fork");
    return pid;
}

static inline void wait_for(pid_t pid)
{
    while (waitpid(pid, NULL, 0) < 0)
        if (errno != EINTR)
            return; /* ECHILD: SIGCHLD is ignored, the child is gone all the same */
}

/* For a process that is not our child: its last word is not yet its end.  Where nobody reaps it
 * (an untracked run in a container without an init) a second must do. */
static inline void wait_for_stranger(pid_t pid)
{
    for (int i = 0; i < 1000 && (kill(pid, 0) == 0 || errno == EPERM); i++)
        sleep_for(0.001);
}

/* A child that only waits must not outlive a workload that was killed. */
static inline void die_with_parent(pid_t parent)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(0);
}

/* --- truth ---------------------------------------------------------------------------------- */

struct truth {
    const char *name;
    const char *file; /* truth=; NULL: standard error */
    double start;     /* now_s() at the start of main */
    size_t base;      /* bytes resident before the workload took anything */
    size_t touched;   /* the most bytes touched at one moment by the whole job */
    char extra[512];  /* further members: , "key": value */
};

/* What is resident just now by the page tables: the kernel's counters (statm) may lag. */
static inline size_t resident_bytes(void)
{
    FILE *f = fopen("/proc/self/smaps_rollup", "re");
    char line[256];
    unsigned long kib = 0;

    while (f && fgets(line, sizeof(line), f))
        if (sscanf(line, "Rss: %lu kB", &kib) == 1)
            break;
    if (f)
        fclose(f);
    return (size_t)kib * 1024;
}

/* Every workload's first call: checks the words, and sleeps delay= seconds, by which the tests
 * move the workload against the tracker's ticks. */
static inline struct truth truth_start(char **argv, const char *name, const char *names)
{
    struct truth t = { .name = name, .start = now_s() };

    arg_check(argv, names);
    t.file = arg_text(argv, "truth", NULL);
    t.base = resident_bytes();
    sleep_for(arg_num(argv, "delay", 0));
    return t;
}

__attribute__((format(printf, 2, 3))) static inline void truth_add(struct truth *t,
                                                                   const char *format, ...)
{
    size_t n = strlen(t->extra);
    va_list args;

    va_start(args, format);
    vsnprintf(t->extra + n, sizeof(t->extra) - n, format, args);
    va_end(args);
}

static inline double seconds_of(struct timeval tv)
{
    return (double)tv.tv_sec + (double)tv.tv_usec * 1e-6;
}

/* The last thing a workload does.  Children count once they have been waited for. */
static inline void truth_print(const struct truth *t)
{
    struct rusage self, children;
    FILE *f = t->file ? fopen(t->file, "we") : stderr;

    if (!f)
        die(t->file);
    getrusage(RUSAGE_SELF, &self);
    getrusage(RUSAGE_CHILDREN, &children);
    fprintf(f,
            "{\"workload\": \"%s\", \"touched\": %zu, \"base\": %zu, \"user\": %.6f, "
            "\"sys\": %.6f, \"children_user\": %.6f, \"children_sys\": %.6f, "
            "\"maxrss\": %ld, \"wall\": %.6f%s}\n",
            t->name, t->touched, t->base, seconds_of(self.ru_utime), seconds_of(self.ru_stime),
            seconds_of(children.ru_utime), seconds_of(children.ru_stime), self.ru_maxrss * 1024,
            now_s() - t->start, t->extra);
    if (fflush(f) != 0)
        die("truth");
    if (f != stderr)
        fclose(f);
}

#endif
