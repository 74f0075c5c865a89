/* job.c - the job as a stream shows it: PSS, CPU time by mode, bytes to and from disks. */
#include "sample/job.h"

#include <math.h>

#include "sample/tree/io.h"

void gput__job_begin(struct gput__job *j, bool main_only)
{
    *j = (struct gput__job){ .main_only = main_only };
}

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

void gput__job_measure_memory(struct gput__job *j, const struct gput__memory *memory,
                              const struct gput__tree *tree, struct gput__sample *ret)
{
    const struct gput__task *main_task = gput__tree_main(tree);

    /* An exiting process has freed its memory before it can be read. */
    if (main_task && gput__task_is_alive(main_task) && main_task->ram.rss)
        j->pss = gput__memory_pss(memory, tree, j->main_only);
    gput__sample_set(ret, GPUT__JOB_PSS, j->pss);
}

/* --- CPU ------------------------------------------------------------------------------------ */

/* The kernel counts the two modes in ticks, with those of children that were waited for, and a child
 * that was not waited for takes its own with it.  The CPU time itself is known better: the modes share
 * what it gained as their ticks have. */
static void split_modes(struct gput__job *j, double user_ticks, double kernel_ticks, double cpu)
{
    double user = user_ticks - j->user_ticks, kernel = kernel_ticks - j->kernel_ticks;
    double gained = cpu > j->cpu ? cpu - j->cpu : 0;

    if (user >= 0 && kernel >= 0 && user + kernel > 0)
        j->kernel_part = kernel / (user + kernel);
    j->user += gained * (1 - j->kernel_part);
    j->kernel += gained * j->kernel_part;
    j->user_ticks = user_ticks;
    j->kernel_ticks = kernel_ticks;
    j->cpu = cpu > j->cpu ? cpu : j->cpu;
}

static void measure_cpu(struct gput__job *j, const struct gput__tree *tree,
                        struct gput__sample *ret)
{
    double tick = (double)tree->tick_ns / 1e9, user = 0, kernel = 0;

    for (uint32_t i = 0; i < tree->n; i++) {
        if (!is_wanted(j, &tree->tasks[i]))
            continue;
        user += (double)gput__count_used(&tree->tasks[i].cpu.user_ticks);
        kernel += (double)gput__count_used(&tree->tasks[i].cpu.system_ticks);
    }
    gput__sample_set(ret, GPUT__JOB_CPU,
                     ret->value[j->main_only ? GPUT__MAIN_CPU : GPUT__COMBINED_CPU]);
    split_modes(j, user, kernel, ret->value[GPUT__JOB_CPU]);
    /* Rows have whole ticks: what is less waits for the next one. */
    gput__sample_set(ret, GPUT__JOB_USER_CPU, floor(j->user / tick + 1e-6) * tick);
    gput__sample_set(ret, GPUT__JOB_KERNEL_CPU, floor(j->kernel / tick + 1e-6) * tick);
}

/* --- disks ---------------------------------------------------------------------------------- */

static void measure_disk(struct gput__job *j, struct gput__tree *tree, struct gput__sample *ret)
{
    uint64_t read, written;

    gput__io_read(tree, j->main_only);
    if (!gput__io_sum(tree, j->main_only, &read, &written))
        return; /* may not be read */
    gput__sample_set(ret, GPUT__JOB_DISK_READ, keep_rising(&j->read, (double)read));
    gput__sample_set(ret, GPUT__JOB_DISK_WRITE, keep_rising(&j->written, (double)written));
}

static unsigned count_children(const struct gput__tree *tree)
{
    unsigned n = 0;

    for (uint32_t i = 0; i < tree->n; i++)
        n += !tree->tasks[i].is_main && !tree->tasks[i].life.is_starting &&
             gput__task_is_alive(&tree->tasks[i]);
    return n;
}

void gput__job_measure(struct gput__job *j, const struct gput__memory *memory,
                       struct gput__tree *tree, struct gput__sample *ret)
{
    gput__job_measure_memory(j, memory, tree, ret);
    measure_cpu(j, tree, ret);
    measure_disk(j, tree, ret);
    if (!j->main_only)
        gput__sample_set(ret, GPUT__JOB_N_CHILDREN, count_children(tree));
}
