/* pass.c - a memory pass: what the processes of the job have of their own and what they share. */
#include "sample/pass.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/thread.h"
#include "sample/filemaps.h"
#include "sample/look.h"
#include "source/proc_smaps.h"

struct reader {
    struct gput__pass_task *task;
    struct gput__filemaps *files; /* NULL: a job of one process shares with nobody in the job */
};

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* Of a private mapping of a file the written pages are anonymous; smaps has no Pss of those alone,
 * but written pages are dirty pages. */
static uint64_t pss_of_written(const struct gput__vma *v)
{
    if (v->has_pss_dirty)
        return least(v->anonymous, v->pss_dirty);
    return least(v->anonymous, v->private_dirty);
}

static void take_vma(void *ctx, const struct gput__vma *v)
{
    struct reader *r = ctx;
    struct gput__pass_task *t = r->task;
    uint64_t own = v->private_clean + v->private_dirty;

    t->rss += v->rss;
    t->pss += v->pss;
    t->anon += v->anonymous;
    t->private_rss += own;
    t->shared_rss += v->shared;
    if (v->rollup) {
        t->pss_anon += v->has_pss_anon ? v->pss_anon : v->anonymous;
        t->private_anon += least(own, v->anonymous);
    } else if (v->inode == 0) {
        t->pss_anon += v->pss;
        t->private_anon += own;
    } else {
        t->pss_anon += pss_of_written(v);
        t->private_anon += least(v->anonymous, v->private_dirty);
        (void)gput__filemaps_add(r->files, v->device, v->inode, v->from, v->to,
                                 v->rss - least(v->rss, v->anonymous), t->is_main);
    }
}

/* A kernel may be built without memory maps: then there are none of a process that lives, either. */
static bool is_there(const struct gput__pass *pass, const struct gput__pass_task *t)
{
    char name[64];
    int fd;

    gput__task_path(t->pid, t->via, "stat", name, sizeof(name));
    fd = gput__root_open_file(pass->proc, name);
    if (fd >= 0)
        close(fd);
    return fd >= 0;
}

static bool is_by_sums(const struct gput__pass *pass)
{
    return pass->n == 1 || pass->only_sums;
}

static void read_task(struct gput__pass *pass, struct gput__pass_task *t,
                      struct gput__filemaps *files)
{
    struct reader r = { t, files };
    char name[64];

    gput__task_path(t->pid, t->via, is_by_sums(pass) ? "smaps_rollup" : "smaps", name,
                    sizeof(name));
    t->error = gput__smaps_read(pass->proc, name, take_vma, &r);
    if (t->error == -ENOENT && is_by_sums(pass) && pass->proc->fd >= 0) {
        /* smaps_rollup is there since Linux 4.14 only */
        gput__task_path(t->pid, t->via, "smaps", name, sizeof(name));
        t->error = gput__smaps_read(pass->proc, name, take_vma, &r);
    }
    if (t->error == -ENOENT && is_there(pass, t))
        t->error = -ENOTSUP;
    else if (t->error == -ENOENT || (t->error == 0 && t->rss == 0))
        t->error = -ESRCH; /* without memory: dead, or about to be */
}

static void count(struct gput__pass *pass, struct gput__pass_task *t, uint64_t *anon,
                  uint64_t *main_private_anon)
{
    if (t->error == -ESRCH) {
        pass->complete = false;
        return;
    }
    if (t->error < 0) { /* not ours to see: all of it counts as its own */
        pass->hidden++;
        t->rss = t->anon = t->private_rss = t->pss_anon = t->known_rss;
        t->private_anon = t->is_main ? t->known_rss : 0;
        t->shared_rss = 0;
    }
    *anon += t->pss_anon;
    if (!t->counts) {
        pass->has_young = true;
        return;
    }
    pass->combined.private_rss += t->private_rss;
    if (t->is_main) {
        *main_private_anon = t->private_anon;
        pass->main = (struct gput__rss){ t->rss, t->private_rss, t->shared_rss };
    } else {
        pass->descendants.private_rss += t->private_rss;
    }
}

/* Never above the sum of what the processes have, nor below what the largest of them has. */
static uint64_t within_bounds(const struct gput__pass *pass, uint64_t total, bool with_main)
{
    uint64_t sum = 0, largest = 0;

    for (uint32_t i = 0; i < pass->n; i++) {
        const struct gput__pass_task *t = &pass->tasks[i];

        if ((t->is_main && !with_main) || !t->counts)
            continue;
        sum += t->rss;
        largest = t->rss > largest ? t->rss : largest;
    }
    total = total > sum ? sum : total;
    return total < largest ? largest : total;
}

/* Pages that several map are divided among them, so that over all of them they count once. */
static uint64_t sum_of_pss(const struct gput__pass *pass, bool with_main)
{
    uint64_t sum = 0;

    for (uint32_t i = 0; i < pass->n; i++) {
        const struct gput__pass_task *t = &pass->tasks[i];

        if (!t->is_main || with_main)
            sum += t->error < 0 ? t->rss : t->pss;
    }
    return sum;
}

static void set_shared(struct gput__rss *r)
{
    r->private_rss = least(r->private_rss, r->total);
    r->shared_rss = r->total - r->private_rss;
}

void gput__pass_run(struct gput__pass *pass)
{
    int64_t begin = gput__clock_ns(CLOCK_THREAD_CPUTIME_ID);
    struct gput__filemaps files = { 0 };
    uint64_t anon = 0, main_private_anon = 0, all_files, descendants_files;

    pass->main = pass->descendants = pass->combined = (struct gput__rss){ 0 };
    pass->complete = true;
    pass->has_young = false;
    pass->hidden = 0;
    for (uint32_t i = 0; i < pass->n; i++) {
        bool is_stopped = pass->stop && __atomic_load_n(pass->stop, __ATOMIC_RELAXED);

        pass->complete &= !is_stopped;
        if (is_stopped || (!pass->complete && !pass->only_sums))
            break;
        read_task(pass, &pass->tasks[i], &files);
        count(pass, &pass->tasks[i], &anon, &main_private_anon);
    }
    gput__filemaps_sum(&files, &all_files, &descendants_files);
    gput__filemaps_free(&files);
    if (pass->n == 1) { /* a rollup has no files apart */
        pass->combined.total = pass->tasks[0].rss;
        pass->descendants.total = pass->tasks[0].is_main ? 0 : pass->tasks[0].rss;
    } else if (pass->only_sums) {
        pass->combined.total = within_bounds(pass, sum_of_pss(pass, true), true);
        pass->descendants.total = within_bounds(pass, sum_of_pss(pass, false), false);
    } else {
        pass->combined.total = within_bounds(pass, anon + all_files, true);
        pass->descendants.total =
            within_bounds(pass, anon - least(anon, main_private_anon) + descendants_files, false);
    }
    set_shared(&pass->combined);
    set_shared(&pass->descendants);
    pass->cost_ns = gput__clock_ns(CLOCK_THREAD_CPUTIME_ID) - begin;
}

void gput__pass_free(struct gput__pass *pass)
{
    free(pass->tasks);
    *pass = (struct gput__pass){ 0 };
}

/* --- the thread ----------------------------------------------------------------------------- */

static void *run_passes(void *arg)
{
    struct gput__passer *p = arg;
    struct gput__pass *pass;

    pthread_mutex_lock(&p->lock);
    for (;;) {
        while (!p->todo && !p->ending)
            pthread_cond_wait(&p->asked, &p->lock);
        if (p->ending)
            break;
        pass = p->todo;
        p->todo = NULL; /* the next one may be asked for before this thread is awake again */
        pthread_mutex_unlock(&p->lock);
        gput__pass_run(pass);
        pthread_mutex_lock(&p->lock);
        p->finished = true;
        (void)eventfd_write(p->done, 1);
    }
    pthread_mutex_unlock(&p->lock);
    return NULL;
}

void gput__passer_open(struct gput__passer *p)
{
    *p = (struct gput__passer){ .done = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK) };
    pthread_mutex_init(&p->lock, NULL);
    pthread_cond_init(&p->asked, NULL);
}

static void tell(struct gput__passer *p, struct gput__pass *todo, bool ending)
{
    pthread_mutex_lock(&p->lock);
    p->todo = todo;
    __atomic_store_n(&p->ending, ending, __ATOMIC_RELAXED);
    pthread_cond_signal(&p->asked);
    pthread_mutex_unlock(&p->lock);
}

void gput__passer_close(struct gput__passer *p)
{
    if (p->started) {
        tell(p, NULL, true);
        pthread_join(p->thread, NULL);
    }
    if (p->done >= 0)
        close(p->done);
    *p = (struct gput__passer){ .done = -1 };
}

static int start(struct gput__passer *p)
{
    int r = gput__thread_start(&p->thread, 128 * 1024, run_passes, p);

    p->started = r == 0;
    return r;
}

int gput__passer_ask(struct gput__passer *p, struct gput__pass *pass)
{
    int r;

    if (p->pass)
        return -EBUSY;
    if (!p->started && (r = start(p)) < 0)
        return r;
    p->pass = pass;
    pass->stop = &p->ending;
    tell(p, pass, false);
    return 0;
}

struct gput__pass *gput__passer_take(struct gput__passer *p)
{
    struct gput__pass *pass = p->pass;
    bool finished;
    eventfd_t n;

    if (!pass)
        return NULL;
    pthread_mutex_lock(&p->lock);
    finished = p->finished;
    p->finished = false;
    if (finished)
        (void)eventfd_read(p->done, &n);
    pthread_mutex_unlock(&p->lock);
    if (!finished)
        return NULL;
    p->pass = NULL;
    return pass;
}
