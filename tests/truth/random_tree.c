/* random_tree.c - a random tree of processes that knows what it holds.
 *
 *     random_tree SEED FILE      writes the truth (see ledger.h) to FILE as JSON
 *     random_tree storm RATE     forks RATE times a second until it is killed
 *     random_tree builds N       N processes at a time that take memory as compilers do, until it is killed
 *
 * Each process does a random program: it takes private blocks, rewrites a part of what it
 * inherited, touches parts of shared mappings and of a mapped file, gives blocks back, uses the
 * CPU, sleeps, and starts others, with or without exec.  Some are never waited for, some late,
 * some outlive their parents.  The seed fixes the programs, not how they are interleaved. */
#include "ledger.h"
#include <spawn.h>
#include <stdbool.h>

extern char **environ;

enum {
    MAX_BLOCKS = 48,
    BLOCK_UNITS = 84, /* 42 MiB */
    MAX_REGIONS = 8,
    REGION_UNITS = 96,
    MAX_PROCESSES = 300,
};

struct block { /* private anonymous memory; unit[] are indices into the ledger's refs */
    char *at;
    unsigned n;
    uint16_t unit[BLOCK_UNITS];
};

struct region { /* memory that several processes map; its units lie at `first` in the ledger */
    char *at;
    unsigned n, first;
    bool written; /* else only read: MAP_PRIVATE of the file */
    uint8_t touched[REGION_UNITS];
};

enum waiting { WAITS, WAITS_LATE, NEVER_WAITS, IGNORES };

/* What the seed decides for the whole tree; lies in the ledger. */
struct plan {
    double seconds;        /* until which new things are begun */
    double life;           /* of a process at most */
    double burn;           /* the longest stretch of CPU use */
    unsigned n_alive;      /* processes at one time */
    unsigned pages;        /* beyond which nobody takes more */
    unsigned exec_percent; /* of the new processes */
    int file_fd;           /* the mapped file ... */
    unsigned file_units;   /* ... its size ... */
    unsigned file_first;   /* ... and its first unit in the ledger */
};

static struct ledger *ledger;
static struct plan *plan;
static char ledger_fd[12]; /* as a word for exec */

/* This process. */
static uint64_t rng;
static double until; /* seconds since the ledger's start */
static bool execed;
static unsigned n_blocks, n_regions;
static struct block blocks[MAX_BLOCKS];
static struct region regions[MAX_REGIONS];
static volatile uint64_t was_read; /* so that the reading is not left out */

static uint64_t next_random(void) /* splitmix64 */
{
    uint64_t z = rng += 0x9e3779b97f4a7c15u;

    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static unsigned below(unsigned n)
{
    return (unsigned)(next_random() % n);
}

static double between(double low, double high)
{
    return low + (high - low) * (double)(next_random() >> 11) * 0x1p-53;
}

static double now(void)
{
    return (double)(ledger_ns() - ledger->start_ns) * 1e-9;
}

/* Small ones are more frequent. */
static double skewed(double low, double high)
{
    double x = between(0, 1);

    return low + (high - low) * x * x * x;
}

/* --- private memory ------------------------------------------------------------------------- */

static bool has_room(size_t units)
{
    return ledger->pages + units * UNIT_PAGES <= plan->pages;
}

static int new_unit(void) /* with the lock held; -1: none left */
{
    uint16_t u;

    if (ledger->n_free == 0) {
        ledger_fail(ledger, ENOMEM);
        return -1;
    }
    u = ledger->free[--ledger->n_free];
    ledger->refs[u] = 1;
    ledger_change(ledger, UNIT_PAGES);
    return u;
}

static void drop_unit(uint16_t u) /* with the lock held */
{
    if (--ledger->refs[u] == 0) {
        ledger->free[ledger->n_free++] = u;
        ledger_change(ledger, -(int64_t)UNIT_PAGES);
    }
}

static void take_block(void)
{
    unsigned n = (unsigned)skewed(4, BLOCK_UNITS);
    struct block *b = &blocks[n_blocks];

    if (n_blocks == MAX_BLOCKS || !has_room(n))
        return;
    b->at = map_bytes(n * UNIT_BYTES, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    b->n = n;
    for (unsigned i = 0; i < n; i++) {
        int u;

        touch(b->at + i * UNIT_BYTES, UNIT_BYTES);
        ledger_lock(ledger);
        u = new_unit();
        ledger_unlock(ledger);
        if (u < 0)
            exit(99);
        b->unit[i] = (uint16_t)u;
    }
    n_blocks++;
}

static void free_block(unsigned i)
{
    struct block *b = &blocks[i];

    for (unsigned k = 0; k < b->n; k++) {
        ledger_lock(ledger);
        drop_unit(b->unit[k]);
        ledger_unlock(ledger);
        give_back(b->at + k * UNIT_BYTES, UNIT_BYTES);
    }
    *b = blocks[--n_blocks];
}

/* A unit that nobody else has any more is not copied by the kernel, and stays the same one here. */
static void rewrite_unit(struct block *b, unsigned i)
{
    touch(b->at + i * UNIT_BYTES, UNIT_BYTES);
    ledger_lock(ledger);
    if (ledger->refs[b->unit[i]] > 1) {
        int u = new_unit();

        if (u >= 0) {
            drop_unit(b->unit[i]);
            b->unit[i] = (uint16_t)u;
        }
    }
    ledger_unlock(ledger);
}

static void rewrite_part(void)
{
    struct block *b;
    unsigned first, n;

    if (n_blocks == 0)
        return;
    b = &blocks[below(n_blocks)];
    first = below(b->n);
    n = 1 + below(b->n - first);
    if (!has_room(n))
        return;
    for (unsigned i = first; i < first + n; i++)
        rewrite_unit(b, i);
}

/* --- shared memory -------------------------------------------------------------------------- */

static void touch_unit(struct region *r, unsigned i)
{
    uint16_t *refs = &ledger->shared[r->first + i];

    if (r->touched[i])
        return;
    if (r->written)
        touch(r->at + i * UNIT_BYTES, UNIT_BYTES);
    else
        was_read = read_all(r->at + i * UNIT_BYTES, UNIT_BYTES);
    r->touched[i] = 1;
    ledger_lock(ledger);
    if ((*refs)++ == 0)
        ledger_change(ledger, UNIT_PAGES);
    ledger_unlock(ledger);
}

/* The part that everybody touches, or one that is perhaps nobody else's. */
static void touch_region(struct region *r)
{
    unsigned slice = r->n / 8 ? r->n / 8 : 1;
    unsigned first = below(3) == 0 ? 0 : below(r->n / slice) * slice;

    if (!has_room(slice))
        return;
    for (unsigned i = first; i < first + slice && i < r->n; i++)
        touch_unit(r, i);
}

static void drop_region(unsigned k)
{
    struct region *r = &regions[k];

    for (unsigned i = 0; i < r->n; i++) {
        ledger_lock(ledger);
        if (r->touched[i] && --ledger->shared[r->first + i] == 0)
            ledger_change(ledger, -(int64_t)UNIT_PAGES);
        ledger_unlock(ledger);
        give_back(r->at + i * UNIT_BYTES, UNIT_BYTES);
    }
    *r = regions[--n_regions];
}

static void add_region(char *at, unsigned n, unsigned first, bool written)
{
    struct region *r = &regions[n_regions++];

    *r = (struct region){ .at = at, .n = n, .first = first, .written = written };
}

static void new_region(void)
{
    unsigned n = 8 * (1 + below(REGION_UNITS / 8)), first;

    ledger_lock(ledger);
    first = ledger->n_shared;
    if (n_regions == MAX_REGIONS || first + n > LEDGER_SHARED)
        n = 0;
    ledger->n_shared += n;
    ledger_unlock(ledger);
    if (n > 0)
        add_region(map_bytes(n * UNIT_BYTES, MAP_SHARED | MAP_ANONYMOUS, -1, 0), n, first, true);
}

/* One mapping of the file in a process: pages that it maps twice would count once. */
static void map_file(void)
{
    bool written = below(2) == 0;
    unsigned n = plan->file_units;

    for (unsigned i = 0; i < n_regions; i++)
        if (regions[i].first == plan->file_first)
            return;
    if (n_regions < MAX_REGIONS)
        add_region(map_bytes(n * UNIT_BYTES, written ? MAP_SHARED : MAP_PRIVATE, plan->file_fd, 0),
                   n, plan->file_first, written);
}

/* --- processes ------------------------------------------------------------------------------ */

static void run_program(enum waiting waiting);

/* Ends this process, which gives all back first, bit by bit. */
static _Noreturn void leave(void)
{
    while (n_blocks > 0)
        free_block(n_blocks - 1);
    while (n_regions > 0)
        drop_region(n_regions - 1);
    if (execed)
        ledger_leave(ledger, ledger->exec_pages, ledger->exec_tail);
    else
        ledger_leave(ledger, ledger->fork_pages, ledger->fork_tail);
    _exit(0);
}

static enum waiting any_waiting(void)
{
    static const enum waiting some[] = { WAITS, WAITS, WAITS_LATE, NEVER_WAITS, IGNORES, IGNORES };

    return some[below(sizeof(some) / sizeof(some[0]))];
}

static void begin_life(uint64_t seed)
{
    double end;

    rng = seed;
    end = now() + skewed(0.005, plan->life);
    until = end < plan->seconds ? end : plan->seconds;
    ledger_enter(ledger, execed ? ledger->exec_pages : ledger->fork_pages);
}

/* What a forked child has beside its parent's pages: the tables of mappings that are shared are
 * not copied by fork, those of anonymous memory are. */
static void inherit(void)
{
    for (unsigned k = 0; k < n_regions; k++)
        memset(regions[k].touched, 0, sizeof(regions[k].touched));
    execed = false;
}

static void count_inherited(int by)
{
    ledger_lock(ledger);
    for (unsigned k = 0; k < n_blocks; k++)
        for (unsigned i = 0; i < blocks[k].n; i++)
            if (by > 0)
                ledger->refs[blocks[k].unit[i]]++;
            else
                drop_unit(blocks[k].unit[i]);
    ledger_unlock(ledger);
}

static bool may_start(unsigned n)
{
    bool may;

    ledger_lock(ledger);
    may = ledger->n_alive + n <= plan->n_alive && ledger->n_processes < MAX_PROCESSES;
    if (may)
        ledger->n_alive += n;
    ledger_unlock(ledger);
    return may;
}

/* Some by vfork, as posix_spawn does. */
static pid_t start_self(uint64_t seed, bool by_vfork)
{
    char text[24], *words[] = { (char *)"random_tree", (char *)"child", ledger_fd, text, NULL };
    pid_t pid = 0;

    snprintf(text, sizeof(text), "%llu", (unsigned long long)seed);
    if (by_vfork) {
        if (posix_spawn(&pid, "/proc/self/exe", NULL, NULL, words, environ) != 0)
            die("posix_spawn");
        return pid;
    }
    count_inherited(+1);
    pid = fork_or_die();
    if (pid == 0) {
        count_inherited(-1); /* exec gives them back */
        execv("/proc/self/exe", words);
        ledger_fail(ledger, errno);
        _exit(99);
    }
    return pid;
}

static void start_by_exec(uint64_t seed)
{
    start_self(seed, below(2) == 0);
}

static void start_by_fork(uint64_t seed)
{
    count_inherited(+1);
    if (fork_or_die() != 0)
        return;
    inherit();
    begin_life(seed);
    run_program(any_waiting());
    leave();
}

/* The child of a child that ends at once. */
static void start_orphan(uint64_t seed)
{
    count_inherited(+1);
    if (fork_or_die() != 0)
        return;
    inherit();
    begin_life(seed);
    if (below(2) == 0)
        start_by_exec(next_random());
    else
        start_by_fork(next_random());
    leave();
}

static void start_child(void)
{
    uint64_t seed = next_random();
    bool orphan = below(6) == 0;

    if (!may_start(orphan ? 2 : 1))
        return;
    if (orphan)
        start_orphan(seed);
    else if (below(100) < plan->exec_percent)
        start_by_exec(seed);
    else
        start_by_fork(seed);
}

static void rest(double seconds)
{
    double left = until - now();

    sleep_for(seconds < left ? seconds : left);
}

static void one_step(void)
{
    unsigned r = below(100);

    if (r < 22)
        take_block();
    else if (r < 32)
        rewrite_part();
    else if (r < 42 && n_regions > 0)
        touch_region(&regions[below(n_regions)]);
    else if (r < 46)
        map_file();
    else if (r < 49)
        new_region();
    else if (r < 56 && n_blocks > 0)
        free_block(below(n_blocks));
    else if (r < 72)
        burn(between(0.0005, plan->burn));
    else if (r < 88)
        rest(skewed(0.005, 0.4));
    else
        start_child();
}

static void run_program(enum waiting waiting)
{
    signal(SIGCHLD, waiting == IGNORES ? SIG_IGN : SIG_DFL);
    while (now() < until) {
        one_step();
        if (waiting == WAITS)
            while (waitpid(-1, NULL, WNOHANG) > 0)
                ;
    }
    if (waiting == WAITS_LATE)
        sleep_for(between(0, 0.1));
    if (waiting == WAITS || waiting == WAITS_LATE)
        while (wait(NULL) > 0)
            ;
}

/* --- main ----------------------------------------------------------------------------------- */

static uint32_t private_pages(void) /* without malloc, which would take pages itself */
{
    char text[2048];
    int fd = open("/proc/self/smaps_rollup", O_RDONLY | O_CLOEXEC);
    ssize_t n = read(fd, text, sizeof(text) - 1);
    unsigned long kib = 0;

    text[n > 0 ? n : 0] = '\0';
    for (const char *p = text; (p = strstr(p, "\nPrivate_")); p++)
        kib += strtoul(p + sizeof("\nPrivate_Clean:") - 1, NULL, 10);
    close(fd);
    return (uint32_t)(kib / 4);
}

/* One that holds nothing: what it has all the same, and the CPU time that it enters itself. */
static _Noreturn void be_calibrated(uint32_t *ret_pages)
{
    give_back(take(UNIT_BYTES), UNIT_BYTES);
    sleep_for(0.01); /* as the others, it ends with cold caches */
    *ret_pages = private_pages();
    sleep_for(0.01);
    ledger->cpu_seconds += clock_s(CLOCK_PROCESS_CPUTIME_ID);
    _exit(0);
}

/* The pages of such a process, and the CPU time of its end, which it cannot enter itself. */
static void calibrate(bool by_exec, uint32_t *ret_pages, double *ret_tail)
{
    enum { TIMES = 5 };
    double entered = ledger->cpu_seconds, all = 0;

    for (int i = 0; i < TIMES; i++) {
        pid_t pid = by_exec ? start_self(0, true) : fork_or_die();
        struct rusage ru;

        if (pid == 0)
            be_calibrated(ret_pages);
        wait4(pid, NULL, 0, &ru);
        all += seconds_of(ru.ru_utime) + seconds_of(ru.ru_stime);
    }
    entered = ledger->cpu_seconds - entered;
    ledger->cpu_seconds += all - entered;
    *ret_tail = (all - entered) / TIMES;
}

static void make_plan(void)
{
    *plan = (struct plan){
        .seconds = between(1.5, 4),
        .life = below(3) == 0 ? 3 : between(0.3, 2),
        .n_alive = 8 + below(21),
        .pages = (unsigned)(between(150e6, 700e6) / PAGE),
        .exec_percent = below(60),
        .file_units = 16 * (1 + below(6)),
        .file_first = 0,
    };
    /* A process burns 16 times of 100 and rests as often, 0.1 s in the mean: this makes
     * 0.2 to 1.4 cores of it for all together. */
    plan->burn = 0.2 * between(0.2, 1.4) / (plan->n_alive / 2 + 2);
    ledger->n_shared = plan->file_units;
}

/* An unlinked file beside the result, its pages in the page cache. */
static void make_file(const char *beside)
{
    static char piece[UNIT_BYTES];
    char path[4096];

    snprintf(path, sizeof(path), "%s.XXXXXX", beside);
    plan->file_fd = mkstemp(path);
    if (plan->file_fd < 0 || unlink(path) < 0)
        die(path);
    for (unsigned i = 0; i < plan->file_units; i++)
        if (write(plan->file_fd, piece, sizeof(piece)) != (ssize_t)sizeof(piece))
            die(path);
}

/* Main's own program: it holds little, and sees to it that the tree grows. */
static void run_tree(void)
{
    enum waiting waiting = any_waiting();

    signal(SIGCHLD, waiting == IGNORES ? SIG_IGN : SIG_DFL);
    until = plan->seconds;
    for (unsigned i = 0; i < 2; i++) {
        take_block();
        new_region();
    }
    while (now() < until) {
        if (below(4) == 0)
            one_step();
        else
            start_child();
        rest(skewed(0.002, 0.1));
        if (waiting == WAITS)
            while (waitpid(-1, NULL, WNOHANG) > 0)
                ;
    }
    while (n_blocks > 0)
        free_block(n_blocks - 1);
    while (n_regions > 0)
        drop_region(n_regions - 1);
}

static int run_main(const char *seed, const char *result)
{
    int fd, alive[2];
    char c, extra[200];
    double base;

    ledger = ledger_create(&fd);
    plan = (struct plan *)ledger->own;
    snprintf(ledger_fd, sizeof(ledger_fd), "%d", fd);
    rng = strtoull(seed, NULL, 10) * 2 + 1;
    make_plan();
    make_file(result);
    calibrate(false, &ledger->fork_pages, &ledger->fork_tail);
    calibrate(true, &ledger->exec_pages, &ledger->exec_tail);
    /* Everybody inherits the writing end: when the last one is gone, a read ends. */
    if (pipe(alive) < 0)
        die("pipe");
    ledger->n_alive = 1;
    base = (double)resident_bytes();
    ledger_enter(ledger, (uint32_t)(base / (double)PAGE));
    run_tree();
    close(alive[1]);
    while (read(alive[0], &c, 1) < 0 && errno == EINTR)
        ;
    snprintf(extra, sizeof(extra),
             ", \"seed\": %s, \"base\": %.0f, \"fork_pages\": %u, \"exec_pages\": %u, "
             "\"fork_tail\": %.6f, \"exec_tail\": %.6f",
             seed, base, ledger->fork_pages, ledger->exec_pages, ledger->fork_tail,
             ledger->exec_tail);
    return ledger_finish(ledger, result, extra);
}

static int run_child(char *fd, const char *seed)
{
    snprintf(ledger_fd, sizeof(ledger_fd), "%s", fd);
    ledger = ledger_map(atoi(fd));
    plan = (struct plan *)ledger->own;
    execed = true;
    if (strcmp(seed, "0") == 0)
        be_calibrated(&ledger->exec_pages);
    begin_life(strtoull(seed, NULL, 10));
    run_program(any_waiting());
    leave();
}

/* Others on the machine: every second child execs. */
static int run_storm(double rate)
{
    char *words[] = { (char *)"random_tree", (char *)"nothing", NULL };
    double at = now_s();

    die_with_parent(getppid());
    for (unsigned i = 0;; i++) {
        pid_t pid = fork_or_die();

        if (pid == 0) {
            if (i % 2)
                execv("/proc/self/exe", words);
            _exit(0);
        }
        wait_for(pid);
        sleep_until(at += 1 / rate);
    }
}

/* Takes 30 to 250 MB within 0.2 to 1 s, and ends. */
static void compile(unsigned seed)
{
    unsigned n = 30 + seed * 7919 % 220;
    double seconds = 0.2 + seed * 104729 % 800 / 1000.0, begun = now_s();
    char *at = malloc((size_t)n << 20);

    for (unsigned i = 0; at && i < n; i++) {
        memset(at + ((size_t)i << 20), 1, 1 << 20);
        sleep_until(begun + seconds * (i + 1) / n);
    }
    _exit(0);
}

static void run_builds(unsigned n)
{
    die_with_parent(getppid());
    for (unsigned i = 0;; i++) {
        if (i >= n)
            (void)wait(NULL);
        if (fork_or_die() == 0)
            compile(i);
    }
}

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "nothing") == 0)
        return 0;
    if (argc == 3 && strcmp(argv[1], "storm") == 0)
        return run_storm(atof(argv[2]));
    if (argc == 3 && strcmp(argv[1], "builds") == 0)
        run_builds((unsigned)atoi(argv[2]));
    if (argc == 4 && strcmp(argv[1], "child") == 0)
        return run_child(argv[2], argv[3]);
    if (argc == 3)
        return run_main(argv[1], argv[2]);
    fprintf(stderr,
            "usage: random_tree SEED FILE | random_tree storm RATE | random_tree builds N\n");
    return 99;
}
