/* delays.c - for how long the threads of the job waited: for a CPU, and for disks. */
#include "sample/tree/delays.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/least.h"
#include "base/text/scan.h"
#include "sample/tree/task_poll.h"
#include "source/proc/proc_schedstat.h"

/* More are read of no process: a record must not last. */
#define MOST_THREADS 512
/* A state stands for no longer than this. */
#define LONGEST_STATE_NS GPUT__NS_PER_S
/* Who has run for so long has counts, if the kernel keeps any. */
#define LEAST_RUN_NS (20 * (uint64_t)GPUT__NS_PER_MS)

/* --- states at polls -------------------------------------------------------------------------- */

static bool any_blocked(const struct gput__tree *tree)
{
    for (uint32_t i = 0; i < tree->n; i++)
        if (tree->tasks[i].life.state == 'D' && !tree->tasks[i].life.gone)
            return true;
    return false;
}

void gput__delays_poll(struct gput__delays *d, const struct gput__tree *tree, int64_t now)
{
    int64_t passed = d->polled_ns ? now - d->polled_ns : 0;

    if (d->polled_reads != tree->poll.n_reads || d->polled_version != tree->version)
        d->is_blocked = any_blocked(tree);
    d->polled_reads = tree->poll.n_reads;
    d->polled_version = tree->version;
    if (d->is_blocked && passed > 0)
        d->blocked_ns += passed < LONGEST_STATE_NS ? passed : LONGEST_STATE_NS;
    d->polled_ns = now;
}

/* --- counts at records ------------------------------------------------------------------------ */

static void open_counts(struct gput__delays *d, const struct gput__tree *tree)
{
    char text[16];

    d->is_open = true;
    d->has_accounting =
        gput__root_read(tree->proc, "sys/kernel/task_delayacct", text, sizeof(text)) > 0 &&
        text[0] == '1';
}

static bool read_thread(struct gput__delays *d, const struct gput__tree *tree, pid_t pid, pid_t tid,
                        struct gput__thread_delays *ret)
{
    struct gput__proc_schedstat s;
    struct gput__proc_stat st;
    char name[64], text[1024];

    *ret = (struct gput__thread_delays){ .tid = tid };
    snprintf(name, sizeof(name), "%d/task/%d/schedstat", pid, tid);
    if (gput__root_read(tree->proc, name, text, sizeof(text)) <= 0 ||
        gput__proc_schedstat_parse(text, &s) < 0)
        return false;
    d->is_known = true;
    ret->ran_ns = s.ran_ns;
    ret->run_queue_ns = s.waited_ns;
    if (!d->has_accounting)
        return true;
    snprintf(name, sizeof(name), "%d/task/%d/stat", pid, tid);
    if (gput__root_read(tree->proc, name, text, sizeof(text)) > 0 &&
        gput__proc_stat_parse(text, &st) == 0)
        ret->io_ticks = st.blkio_ticks;
    return true;
}

/* Threads are listed in the same order again and again: the search begins behind the last one found. */
static const struct gput__thread_delays *find(const struct gput__task_delays *old, uint32_t *at,
                                              pid_t tid)
{
    for (uint32_t i = 0; i < old->n; i++) {
        uint32_t k = (*at + i) % old->n;

        if (old->threads[k].tid != tid)
            continue;
        *at = k + 1;
        return &old->threads[k];
    }
    return NULL;
}

/* What an older process waited before the run began does not count. */
static void add_gained(struct gput__delays *d, const struct gput__task *t,
                       const struct gput__thread_delays *before,
                       const struct gput__thread_delays *now)
{
    static const struct gput__thread_delays none;

    if (!before && t->is_older && !t->delays.is_known)
        return;
    before = before ? before : &none;
    d->run_queue_ns += gput__minus(now->run_queue_ns, before->run_queue_ns);
    d->io_ticks += gput__minus(now->io_ticks, before->io_ticks);
}

/* Of threads that have ended since, what they waited until they were last read is in the sum. */
static void read_threads(struct gput__delays *d, struct gput__tree *tree, struct gput__task *t)
{
    struct gput__task_delays now = { .is_known = true, .at_ns = t->cpu.own_ns.now + 1 };
    uint32_t most = t->life.threads < MOST_THREADS ? t->life.threads + 4 : MOST_THREADS, at = 0;
    DIR *dir = gput__task_threads(tree, t->pid);
    struct dirent *entry;

    now.threads = dir ? malloc(most * sizeof(*now.threads)) : NULL;
    while (now.threads && (entry = readdir(dir))) {
        const char *p = entry->d_name;
        uint64_t tid;

        if (*p == '.' || gput__scan_u64(&p, &tid) < 0)
            continue;
        if (now.n == most) {
            d->is_part = true;
            break;
        }
        if (read_thread(d, tree, t->pid, (pid_t)tid, &now.threads[now.n])) {
            add_gained(d, t, find(&t->delays, &at, (pid_t)tid), &now.threads[now.n]);
            now.n++;
        }
    }
    if (dir)
        closedir(dir);
    if (!now.threads)
        return;
    free(t->delays.threads);
    t->delays = now;
}

/* A process whose CPU clock stands still has got no CPU, and so nobody counted what it waits for. */
static void read_task(struct gput__delays *d, struct gput__tree *tree, struct gput__task *t)
{
    uint64_t ran_ns = 0;

    if (t->cpu.has_clock && t->delays.is_known && t->delays.at_ns == t->cpu.own_ns.now + 1)
        return;
    read_threads(d, tree, t);
    for (uint32_t i = 0; i < t->delays.n; i++)
        ran_ns += t->delays.threads[i].ran_ns;
    if (t->delays.n > 0 && ran_ns == 0 && t->cpu.own_ns.now > LEAST_RUN_NS)
        d->has_no_counts = true;
}

void gput__delays_read(struct gput__delays *d, struct gput__tree *tree, bool main_only)
{
    if (!d->is_open)
        open_counts(d, tree);
    else if (tree->proc->live && d->n_reads == tree->poll.n_reads && d->version == tree->version)
        return;
    for (uint32_t i = 0; i < tree->n; i++) {
        struct gput__task *t = &tree->tasks[i];

        if (gput__task_is_alive(t) && !t->life.is_starting && (t->is_main || !main_only))
            read_task(d, tree, t);
    }
    d->n_reads = tree->poll.n_reads;
    d->version = tree->version;
}

void gput__delays_tell(const struct gput__delays *d, double tick_s, struct gput__sample *ret)
{
    if (d->polled_ns)
        gput__sample_set(ret, GPUT__JOB_BLOCKED, (double)d->blocked_ns / 1e9);
    if (!d->is_known || d->has_no_counts)
        return;
    if (d->is_part)
        gput__sample_set_part(ret, GPUT__JOB_RUN_QUEUE, (double)d->run_queue_ns / 1e9);
    else
        gput__sample_set(ret, GPUT__JOB_RUN_QUEUE, (double)d->run_queue_ns / 1e9);
    if (d->has_accounting)
        gput__sample_set(ret, GPUT__JOB_IO_WAIT, (double)d->io_ticks * tick_s);
}

void gput__delays_forget(struct gput__task *t)
{
    free(t->delays.threads);
    t->delays = (struct gput__task_delays){ 0 };
}
