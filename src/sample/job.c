/* job.c - the job as a stream shows it: PSS, CPU time by mode, bytes to and from disks. */
#include "sample/job.h"

#include "base/clock.h"
#include "sample/look.h"
#include "source/proc_io.h"

static double keep_rising(struct gput__rising *r, double sum)
{
    if (sum + r->lost < r->last)
        r->lost = r->last - sum;
    r->last = sum + r->lost;
    return r->last;
}

static bool is_wanted(const struct gput__job *j, const struct gput__task *t)
{
    return t->is_main || !j->main_only;
}

/* --- memory --------------------------------------------------------------------------------- */

/* Between two memory passes the PSS moves as the RSS does. */
static double pss_of(const struct gput__task *t)
{
    double pss;

    if (!t->has_pss)
        return (double)(t->is_worker && t->rss > t->first_anon ? t->rss - t->first_anon : t->rss);
    pss = (double)t->pss + (double)t->rss - (double)t->pss_rss;
    return pss < 0 ? 0 : pss > (double)t->rss ? (double)t->rss : pss;
}

void gput__job_measure_memory(struct gput__job *j, const struct gput__tree *tree,
                              struct gput__sample *ret)
{
    const struct gput__task *main_task = gput__tree_main(tree);
    double pss = 0;

    for (uint32_t i = 0; i < tree->n; i++)
        if (is_wanted(j, &tree->tasks[i]) && gput__task_has_memory(&tree->tasks[i]))
            pss += pss_of(&tree->tasks[i]);
    /* At its end a process has let go of its memory before anybody can look. */
    if (main_task && gput__task_is_alive(main_task) && main_task->rss)
        j->pss = pss;
    gput__sample_set(ret, GPUT__JOB_PSS, j->pss);
}

/* --- CPU ------------------------------------------------------------------------------------ */

/* The kernel tells the two modes of a process only together with those of its children: main alone
 * has its own time in the same proportion. */
static double own_part(const struct gput__task *t, double user, double kernel)
{
    double own = (double)gput__count_used(&t->cpu_ns) / 1e9;

    return user + kernel > 0 ? own / (user + kernel) : 0;
}

static void measure_cpu(struct gput__job *j, const struct gput__tree *tree,
                        struct gput__sample *ret)
{
    double tick = (double)tree->tick_ns / 1e9, user = 0, kernel = 0;

    for (uint32_t i = 0; i < tree->n; i++) {
        const struct gput__task *t = &tree->tasks[i];
        double u = (double)gput__count_used(&t->user_ticks) * tick;
        double k = (double)gput__count_used(&t->system_ticks) * tick;
        double part = j->main_only ? own_part(t, u, k) : 1;

        if (!is_wanted(j, t))
            continue;
        user += u * part;
        kernel += k * part;
    }
    gput__sample_set(ret, GPUT__JOB_USER_CPU, keep_rising(&j->user, user));
    gput__sample_set(ret, GPUT__JOB_KERNEL_CPU, keep_rising(&j->kernel, kernel));
    gput__sample_set(ret, GPUT__JOB_CPU,
                     ret->value[j->main_only ? GPUT__MAIN_CPU : GPUT__COMBINED_CPU]);
}

/* --- disks ---------------------------------------------------------------------------------- */

/* A process whose CPU clock stands still has moved nothing. */
static void read_io(const struct gput__tree *tree, struct gput__task *t)
{
    struct gput__proc_io io;
    char name[64], text[512];

    if (t->io_at_ns == t->cpu_ns.now + 1)
        return;
    t->io_at_ns = t->cpu_ns.now + 1;
    gput__task_path(t->pid, 0, "io", name, sizeof(name));
    if (gput__root_read(tree->proc, name, text, sizeof(text)) <= 0 ||
        gput__proc_io_parse(text, &io) < 0)
        return;
    if (!t->has_io && t->is_older) {
        t->read_bytes.base = io.read_bytes;
        t->write_bytes.base = io.write_bytes;
    }
    t->has_io = true;
    t->read_bytes.now = io.read_bytes;
    t->write_bytes.now = io.write_bytes;
}

static void measure_disk(struct gput__job *j, struct gput__tree *tree, struct gput__sample *ret)
{
    double read = 0, written = 0;
    bool main_is_known = false;

    for (uint32_t i = 0; i < tree->n; i++) {
        struct gput__task *t = &tree->tasks[i];

        if (!is_wanted(j, t))
            continue;
        read_io(tree, t);
        read += (double)gput__count_used(&t->read_bytes);
        written += (double)gput__count_used(&t->write_bytes);
        main_is_known |= t->is_main && t->has_io;
    }
    if (!main_is_known && j->read.last == 0 && j->write.last == 0)
        return; /* not ours to see */
    gput__sample_set(ret, GPUT__JOB_DISK_READ, keep_rising(&j->read, read));
    gput__sample_set(ret, GPUT__JOB_DISK_WRITE, keep_rising(&j->write, written));
}

void gput__job_measure(struct gput__job *j, struct gput__tree *tree, struct gput__sample *ret)
{
    gput__job_measure_memory(j, tree, ret);
    measure_cpu(j, tree, ret);
    measure_disk(j, tree, ret);
    if (!j->main_only && ret->value[GPUT__N_PROCESSES] > 0)
        gput__sample_set(ret, GPUT__JOB_N_CHILDREN, ret->value[GPUT__N_PROCESSES] - 1);
}
