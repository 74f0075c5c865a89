/* memscan.c - a memory scan: what the processes of the job have of their own and what they share. */
#include "sample/memory/memscan.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/least.h"
#include "base/system.h"
#include "base/thread.h"
#include "sample/memory/filemaps.h"
#include "sample/tree/task_poll.h"
#include "source/proc/proc_smaps.h"

/* Growth of a process's files during a scan: with more, who shares which is not known. */
#define MOST_GROWN 0.01

struct reader {
    struct gput__memscan_task *task;
    struct gput__filemaps *files;
};

/* Of a private mapping of a file the written pages are anonymous; smaps has no Pss of those alone,
 * but written pages are dirty pages. */
static uint64_t pss_of_written(const struct gput__vma *v)
{
    if (v->has_pss_dirty)
        return gput__least(v->anonymous, v->pss_dirty);
    return gput__least(v->anonymous, v->private_dirty);
}

static void add_vma(void *ctx, const struct gput__vma *v)
{
    struct reader *r = ctx;
    struct gput__memscan_task *t = r->task;
    uint64_t own = v->private_clean + v->private_dirty;

    t->rss += v->rss;
    t->pss += v->pss;
    t->anon += v->anonymous;
    t->private_rss += own;
    t->shared_rss += v->shared;
    if (v->rollup) {
        t->pss_anon += v->has_pss_anon ? v->pss_anon : gput__least(v->anonymous, v->pss);
        t->private_anon += gput__least(own, v->anonymous);
    } else if (v->inode == 0) {
        t->pss_anon += v->pss;
        t->private_anon += own;
    } else {
        uint64_t written = gput__least(v->pss, pss_of_written(v));

        t->pss_anon += written;
        t->private_anon += gput__least(v->anonymous, v->private_dirty);
        (void)gput__filemaps_add(r->files, v, v->rss - gput__least(v->rss, v->anonymous),
                                 v->pss - written, t->is_main);
    }
}

/* A kernel may be built without memory maps: then there are none of a process that lives, either. */
static bool is_there(const struct gput__memscan *scan, const struct gput__memscan_task *t)
{
    char name[64];
    int fd;

    gput__task_path(t->pid, t->via, "stat", name, sizeof(name));
    fd = gput__root_open_file(&scan->proc, name);
    if (fd >= 0)
        close(fd);
    return fd >= 0;
}

static void read_task(struct gput__memscan *scan, struct gput__memscan_task *t,
                      struct gput__filemaps *files)
{
    struct reader r = { t, files };
    char name[64];

    gput__task_path(t->pid, t->via, scan->with_files ? "smaps" : "smaps_rollup", name,
                    sizeof(name));
    t->error = gput__smaps_read(&scan->proc, name, scan->stop, add_vma, &r);
    if (t->error == -ENOENT && !scan->with_files && scan->proc.fd >= 0) {
        /* smaps_rollup is there since Linux 4.14 only */
        gput__task_path(t->pid, t->via, "smaps", name, sizeof(name));
        t->error = gput__smaps_read(&scan->proc, name, scan->stop, add_vma, &r);
    }
    if (t->error == -ENOENT && is_there(scan, t))
        t->error = -ENOTSUP;
    else if (t->error == -ENOENT || (t->error == 0 && t->rss == 0))
        t->error = -ESRCH; /* without memory: exited, or about to */
}

/* Pages of files that it has come to map since the scan began may be in the shares of those who were
 * read before it, each as if it were theirs alone: its own share of these is left out. */
static void leave_out_growth(struct gput__memscan *scan, struct gput__memscan_task *t)
{
    uint64_t files = t->rss - gput__least(t->rss, t->anon);
    uint64_t before = t->known_rss - gput__least(t->known_rss, t->known_anon);
    uint64_t share = t->pss - gput__least(t->pss, t->pss_anon);
    uint64_t own = t->private_rss - gput__least(t->private_rss, t->private_anon);
    double grown = files > before ? (double)(files - before) / (double)files : 0;

    t->pss -= gput__least((uint64_t)(grown * (double)share), share - gput__least(share, own));
    scan->has_grown |= grown > MOST_GROWN;
}

static void count(struct gput__memscan *scan, struct gput__memscan_task *t,
                  uint64_t *main_private_anon)
{
    if (t->error == -ESRCH) {
        scan->complete = false;
        return;
    }
    if (t->error < 0) { /* it may not be read: all of it counts as its own */
        scan->hidden++;
        t->rss = t->anon = t->pss = t->private_rss = t->pss_anon = t->known_rss;
        t->private_anon = t->is_main ? t->known_rss : 0;
        t->shared_rss = 0;
    }
    if (scan->proc.live)
        leave_out_growth(scan, t);
    scan->combined.private_rss += t->private_rss;
    if (t->is_main) {
        *main_private_anon = t->private_anon;
        scan->main = (struct gput__rss){ t->rss, t->private_rss, t->shared_rss };
    } else {
        scan->descendants.private_rss += t->private_rss;
    }
}

/* Never above the sum of what the processes have, nor below what the largest of them has.  A child
 * that was forked a moment ago has what it took, not what it began with. */
static uint64_t within_bounds(const struct gput__memscan *scan, uint64_t total, bool with_main)
{
    uint64_t sum = 0, largest = 0;

    for (uint32_t i = 0; i < scan->n; i++) {
        const struct gput__memscan_task *t = &scan->tasks[i];
        uint64_t rss = t->counts ? t->rss : t->private_rss;

        if (t->is_main && !with_main)
            continue;
        sum += rss;
        largest = rss > largest ? rss : largest;
    }
    total = total > sum ? sum : total;
    return total < largest ? largest : total;
}

/* Pages that several map are divided among them, so that over all of them they count once. */
static void sum_shares(struct gput__memscan *scan)
{
    scan->pss = scan->descendants_pss = scan->pss_anon = scan->main_pss = 0;
    for (uint32_t i = 0; i < scan->n; i++) {
        const struct gput__memscan_task *t = &scan->tasks[i];

        scan->pss += t->pss;
        scan->pss_anon += t->pss_anon;
        scan->main_pss += t->is_main ? t->pss : 0;
        scan->descendants_pss += t->is_main ? t->pss - gput__least(t->pss, t->private_rss) : t->pss;
    }
}

static void set_shared(struct gput__rss *r)
{
    r->total = r->total > r->private_rss ? r->total : r->private_rss;
    r->shared_rss = r->total - r->private_rss;
}

static bool is_stopped(const struct gput__memscan *scan)
{
    return scan->stop && __atomic_load_n(scan->stop, __ATOMIC_RELAXED);
}

void gput__memscan_run(struct gput__memscan *scan)
{
    int64_t begin = gput__clock_ns(CLOCK_THREAD_CPUTIME_ID);
    struct gput__filemaps files = { 0 };
    uint64_t main_private_anon = 0, descendants_files = 0;

    scan->main = scan->descendants = scan->combined = (struct gput__rss){ 0 };
    scan->complete = true;
    scan->has_grown = false;
    scan->hidden = 0;
    scan->files = 0;
    for (uint32_t i = 0; i < scan->n && !is_stopped(scan); i++) {
        read_task(scan, &scan->tasks[i], &files);
        count(scan, &scan->tasks[i], &main_private_anon);
    }
    scan->complete &= !is_stopped(scan);
    sum_shares(scan);
    scan->combined.total = scan->pss;
    scan->descendants.total = scan->descendants_pss;
    if (scan->with_files && !scan->has_grown && !is_stopped(scan)) {
        gput__filemaps_sum(&files, &scan->files, &descendants_files);
        scan->combined.total = scan->pss_anon + scan->files;
        scan->descendants.total =
            scan->pss_anon - gput__least(scan->pss_anon, main_private_anon) + descendants_files;
    }
    gput__filemaps_free(&files);
    scan->combined.total = within_bounds(scan, scan->combined.total, true);
    scan->descendants.total = within_bounds(scan, scan->descendants.total, false);
    set_shared(&scan->combined);
    set_shared(&scan->descendants);
    scan->cost_ns = gput__clock_ns(CLOCK_THREAD_CPUTIME_ID) - begin;
}

/* --- the thread ----------------------------------------------------------------------------- */

/* At the end a read under way is waited for so long. */
#define LONGEST_WAIT_NS (50 * GPUT__NS_PER_MS)

struct gput__memscanner {
    struct gput__memscan scan;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    bool is_started;
    bool is_asked;    /* the thread has not begun it */
    bool is_finished; /* and gput__memscanner_done() has not said so */
    bool is_busy;
    bool is_ending;
    bool is_left; /* the thread is not joined: it cleans up */
    int done;     /* eventfd, or -1 */
};

static void release(struct gput__memscanner *s)
{
    if (s->scan.proc.live)
        gput__root_close(&s->scan.proc);
    free(s->scan.tasks);
    if (s->done >= 0)
        close(s->done);
    pthread_cond_destroy(&s->changed);
    pthread_mutex_destroy(&s->lock);
    free(s);
}

static void *run_scans(void *arg)
{
    struct gput__memscanner *s = arg;
    bool is_left;

    pthread_mutex_lock(&s->lock);
    for (;;) {
        while (!s->is_asked && !s->is_ending)
            pthread_cond_wait(&s->changed, &s->lock);
        if (s->is_ending)
            break;
        s->is_asked = false;
        s->is_busy = true;
        pthread_mutex_unlock(&s->lock);
        gput__memscan_run(&s->scan);
        pthread_mutex_lock(&s->lock);
        s->is_busy = false;
        s->is_finished = true;
        pthread_cond_signal(&s->changed);
        gput__event_raise(s->done);
    }
    is_left = s->is_left;
    pthread_mutex_unlock(&s->lock);
    if (is_left)
        release(s);
    return NULL;
}

struct gput__memscanner *gput__memscanner_open(const struct gput__root *proc)
{
    struct gput__memscanner *s = calloc(1, sizeof(*s));

    if (!s)
        return NULL;
    /* A thread that is left behind outlives the root that it was given; a dump never hangs. */
    s->scan.proc = *proc;
    if (proc->live)
        s->scan.proc.fd = fcntl(proc->fd, F_DUPFD_CLOEXEC, 3);
    s->done = gput__event_open();
    pthread_mutex_init(&s->lock, NULL);
    gput__cond_init(&s->changed);
    return s;
}

/* Under the lock.  True: it is not in the middle of a read. */
static bool wait_for_end(struct gput__memscanner *s)
{
    int64_t until = gput__clock_ns(CLOCK_MONOTONIC) + LONGEST_WAIT_NS;
    struct timespec ts = { until / GPUT__NS_PER_S, until % GPUT__NS_PER_S };

    while (s->is_busy && pthread_cond_timedwait(&s->changed, &s->lock, &ts) == 0)
        ;
    return !s->is_busy;
}

void gput__memscanner_close(struct gput__memscanner *s)
{
    if (!s)
        return;
    if (s->is_started) {
        pthread_mutex_lock(&s->lock);
        __atomic_store_n(&s->is_ending, true, __ATOMIC_RELAXED);
        pthread_cond_signal(&s->changed);
        s->is_left = !wait_for_end(s);
        pthread_mutex_unlock(&s->lock);
        if (s->is_left) {
            pthread_detach(s->thread);
            return;
        }
        pthread_join(s->thread, NULL);
    }
    release(s);
}

struct gput__memscan *gput__memscanner_scan(struct gput__memscanner *s)
{
    return &s->scan;
}

int gput__memscanner_fd(const struct gput__memscanner *s)
{
    return s ? s->done : -1;
}

int gput__memscanner_ask(struct gput__memscanner *s)
{
    if (!s->is_started)
        s->is_started = gput__thread_start(&s->thread, 128 * 1024, run_scans, s) == 0;
    if (!s->is_started)
        return -EAGAIN;
    s->scan.stop = &s->is_ending;
    pthread_mutex_lock(&s->lock);
    s->is_asked = true;
    s->is_finished = false;
    pthread_cond_signal(&s->changed);
    pthread_mutex_unlock(&s->lock);
    return 0;
}

bool gput__memscanner_done(struct gput__memscanner *s)
{
    bool is_finished;

    pthread_mutex_lock(&s->lock);
    is_finished = s->is_finished;
    s->is_finished = false;
    if (is_finished)
        gput__event_clear(s->done);
    pthread_mutex_unlock(&s->lock);
    return is_finished;
}
