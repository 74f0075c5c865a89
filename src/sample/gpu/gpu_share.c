/* gpu_share.c - whose GPU memory is the job's. */
#include "sample/gpu/gpu_share.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "source/proc/proc_status.h"

/* How many processes of the job are asked for their pids in other namespaces. */
#define MOST_ASKED 256

static struct gput__gpu_user *find_user(struct gput__gpu_share *s, pid_t named, unsigned device)
{
    for (unsigned i = 0; i < s->n_users; i++)
        if (s->users[i].named == named && s->users[i].device == device)
            return &s->users[i];
    return NULL;
}

static struct gput__gpu_user *room_for_user(struct gput__gpu_share *s)
{
    unsigned least = 0;

    if (s->n_users < GPUT__MOST_GPU_USERS)
        return &s->users[s->n_users++];
    for (unsigned i = 1; i < s->n_users; i++)
        if (s->users[i].max_memory < s->users[least].max_memory)
            least = i;
    return &s->users[least];
}

static int read_status(const struct gput__tree *tree, pid_t pid, struct gput__proc_status *ret)
{
    char name[32], text[4096];

    snprintf(name, sizeof(name), "%d/status", pid);
    if (gput__root_read(tree->proc, name, text, sizeof(text)) <= 0)
        return -1;
    return gput__proc_status_parse(text, ret);
}

/* A pid that names a process here which may well use a GPU is that process's own. */
static bool is_somebody_here(const struct gput__tree *tree, pid_t pid)
{
    struct gput__proc_status st;

    return pid != 1 && read_status(tree, pid, &st) == 0 && st.has_memory;
}

static const struct gput__task *find_by_inner_pid(const struct gput__tree *tree, pid_t named)
{
    for (uint32_t i = 0; i < tree->n && i < MOST_ASKED; i++) {
        struct gput__proc_status st;

        if (gput__task_is_alive(&tree->tasks[i]) &&
            read_status(tree, tree->tasks[i].pid, &st) == 0 && st.n_namespaces > 1 &&
            st.inner_pid == named)
            return &tree->tasks[i];
    }
    return NULL;
}

static void remember(struct gput__gpu_share *s, const struct gput__gpu_process *p, unsigned device,
                     const struct gput__task *t, enum gput__gpu_how how)
{
    struct gput__gpu_user *u = find_user(s, p->pid, device);

    if (!u) {
        u = room_for_user(s);
        *u = (struct gput__gpu_user){
            .pid = t->pid, .named = p->pid, .device = device, .is_main = t->is_main, .how = how
        };
    }
    u->has_memory |= p->has_memory;
    if (p->memory > u->max_memory)
        u->max_memory = p->memory;
}

struct tally {
    double memory[GPUT__N_GROUPS];
    bool any, without_memory, others, strangers; /* strangers: pids of no process here */
};

/* Whether the process is the job's.  One that has just exited is still known from before. */
static bool attribute(struct gput__gpu_share *s, const struct gput__tree *tree,
                      const struct gput__gpu_process *p, unsigned device, bool is_mig,
                      bool *is_main)
{
    const struct gput__task *t = gput__tree_find(tree, p->pid);
    const struct gput__gpu_user *before = find_user(s, p->pid, device);
    enum gput__gpu_how how = is_mig ? GPUT__BY_MIG : GPUT__BY_PID;

    if (!t && !before && !is_somebody_here(tree, p->pid)) {
        t = find_by_inner_pid(tree, p->pid);
        how = GPUT__BY_NAMESPACE;
    }
    if (t)
        remember(s, p, device, t, before ? before->how : how);
    else if (before)
        remember(s, p, device, &(struct gput__task){ .pid = before->pid }, before->how);
    before = find_user(s, p->pid, device);
    *is_main = before && before->is_main;
    if (before && before->how > s->how)
        s->how = before->how;
    return before != NULL;
}

static void count_device(struct gput__gpu_share *s, const struct gput__gpus *g,
                         const struct gput__tree *tree, unsigned i, struct tally *tally)
{
    const struct gput__gpu_device *d = &g->found.devices[i];

    for (size_t k = 0; k < d->processes.all.n; k++) {
        const struct gput__gpu_process *p = &d->processes.all.list[k];
        bool is_main;

        if (!attribute(s, tree, p, i, d->info.is_mig, &is_main)) {
            tally->others = true;
            tally->strangers |= !is_somebody_here(tree, p->pid);
            continue;
        }
        tally->any = true;
        tally->without_memory |= !p->has_memory;
        tally->memory[is_main ? GPUT__MAIN : GPUT__DESCENDANTS] += (double)p->memory;
        tally->memory[GPUT__COMBINED] += (double)p->memory;
    }
}

/* What a whole GPU and its instances say is the same memory. */
static bool is_partitioned(const struct gput__gpus *g, unsigned i)
{
    for (unsigned k = 0; k < g->found.n; k++)
        if (g->found.devices[k].info.is_mig && g->found.devices[k].info.parent == i)
            return true;
    return false;
}

static double change_of_devices(const struct gput__gpus *g)
{
    double change = 0;

    for (unsigned i = 0; i < g->found.n; i++) {
        const struct gput__gpu_device *d = &g->found.devices[i];

        if (d->memory.is_known && !is_partitioned(g, i) && d->memory.used > d->memory.first)
            change += (double)(d->memory.used - d->memory.first);
    }
    return change;
}

/* How much of a device's work was the job's: all of it if the job is alone there, else as the driver
 * counts the work of each process, which it does over some time. */
static double part_of_job(struct gput__gpu_share *s, const struct gput__gpus *g, unsigned i)
{
    const struct gput__gpu_device *d = &g->found.devices[i];
    double ours = 0, all = 0;
    size_t n_ours = 0;

    for (size_t k = 0; k < d->processes.all.n; k++)
        n_ours += find_user(s, d->processes.all.list[k].pid, i) != NULL;
    if (n_ours == 0 || n_ours == d->processes.all.n)
        return n_ours > 0;
    for (unsigned k = 0; k < d->uses.n; k++) {
        all += d->uses.list[k].sum;
        ours += find_user(s, d->uses.list[k].pid, i) ? d->uses.list[k].sum : 0;
    }
    return all > 0 ? ours / all : (double)n_ours / (double)d->processes.all.n;
}

static void sum_devices(struct gput__gpu_share *s, const struct gput__gpus *g)
{
    s->used = s->utilization = s->job_utilization = 0;
    s->in_use = s->job_in_use = 0;
    for (unsigned i = 0; i < g->found.n; i++) {
        const struct gput__gpu_device *d = &g->found.devices[i];

        bool is_aside = !g->busy.lanes[i].counts && !d->info.is_mig && !gput__gpus_counts(g, i);

        if (d->memory.is_known && !is_partitioned(g, i) && !is_aside) {
            s->used += (double)d->memory.used;
            s->knows_used = true;
        }
        if (g->busy.lanes[i].counts && d->utilization.was_read) {
            double ours = d->utilization.percent * part_of_job(s, g, i);

            s->utilization += d->utilization.percent;
            s->in_use += d->utilization.percent > 0;
            s->job_utilization += ours;
            s->job_in_use += ours > 0;
            s->knows_utilization = true;
        }
    }
}

static void sum_work(struct gput__gpu_share *s, const struct gput__gpus *g)
{
    unsigned n[GPUT__N_GPU_WORK] = { 0 };

    s->work = (struct gput__gpu_work){ 0 };
    for (unsigned i = 0; i < g->found.n; i++) {
        const struct gput__gpu_works *w = &g->found.devices[i].works;

        for (int k = 0; k < GPUT__N_GPU_WORK && g->busy.lanes[i].counts; k++) {
            bool is_flow = k >= GPUT__N_GPU_SHARES;

            if (!gput__gpu_work_has(&w->shown, k))
                continue;
            s->work.value[k] += is_flow ? w->run.sum[k] : w->shown.value[k];
            n[k]++;
        }
    }
    for (int k = 0; k < GPUT__N_GPU_WORK; k++)
        if (n[k] > 0)
            gput__gpu_work_set(&s->work, k,
                               s->work.value[k] / (k >= GPUT__N_GPU_SHARES ? 1 : n[k]));
}

static bool nobody_tells(const struct gput__gpus *g)
{
    for (unsigned i = 0; i < g->found.n; i++)
        if (g->found.devices[i].processes.error == 0)
            return false;
    return true;
}

static void count_all(struct gput__gpu_share *s, const struct gput__gpus *g,
                      const struct gput__tree *tree)
{
    struct tally tally = { 0 };

    for (unsigned i = 0; i < g->found.n; i++)
        if (!is_partitioned(g, i))
            count_device(s, g, tree, i, &tally);
    sum_devices(s, g);
    sum_work(s, g);
    s->others |= tally.others;
    if ((tally.any && tally.without_memory) ||
        (!tally.any && (nobody_tells(g) || tally.strangers))) {
        double change = change_of_devices(g);

        if (!s->knows_used)
            return; /* neither a process nor a device reports: nothing is known */
        if (change > 0)
            s->how = GPUT__BY_CHANGE;
        tally.memory[GPUT__MAIN] = tally.memory[GPUT__COMBINED] = change;
        tally.memory[GPUT__DESCENDANTS] = 0;
    }
    memcpy(s->memory, tally.memory, sizeof(s->memory));
    s->knows_memory = true;
}

static void tell_job(struct gput__gpus *g, const struct gput__tree *tree)
{
    pid_t *pids = tree->n ? malloc(tree->n * sizeof(*pids)) : NULL;

    if (!pids)
        return;
    for (uint32_t i = 0; i < tree->n; i++)
        pids[i] = tree->tasks[i].pid;
    gput__gpus_tell_job(g, pids, tree->n);
    free(pids);
}

void gput__gpu_share_update(struct gput__gpu_share *s, struct gput__gpus *g,
                            const struct gput__tree *tree, struct gput__sample *ret)
{
    /* Whether a process is the job's may be known only after the driver has named it. */
    bool others = s->tree_version != tree->version, changed;

    if (others)
        tell_job(g, tree);
    pthread_mutex_lock(&g->lock);
    changed = g->found.state == GPUT__GPUS_READY && (others || g->found.seq != s->seq);
    if (changed) {
        s->seq = g->found.seq;
        s->tree_version = tree->version;
        count_all(s, g, tree);
    }
    pthread_mutex_unlock(&g->lock);
    if (changed)
        gput__gpus_tell_use(g, s->memory[GPUT__COMBINED] > 0);
    for (int k = 0; k < GPUT__N_GROUPS && s->knows_memory; k++)
        gput__sample_set(ret, (enum gput__metric)(GPUT__MAIN_GPU_RAM + k), s->memory[k]);
    if (s->knows_used)
        gput__sample_set(ret, GPUT__SYSTEM_GPU_RAM, s->used);
    for (int k = 0; k < GPUT__N_GPU_WORK; k++)
        if (gput__gpu_work_has(&s->work, k))
            gput__sample_set(ret, (enum gput__metric)(GPUT__GPUS_ENGINE + k), s->work.value[k]);
    if (s->knows_memory)
        gput__sample_set(ret, GPUT__JOB_GPU_RAM, s->memory[GPUT__COMBINED]);
    if (!s->knows_utilization)
        return;
    gput__sample_set(ret, GPUT__GPU_PERCENT, s->utilization);
    gput__sample_set(ret, GPUT__SYSTEM_GPUS_IN_USE, s->in_use);
    gput__sample_set(ret, GPUT__JOB_GPU_PERCENT, s->job_utilization);
    gput__sample_set(ret, GPUT__JOB_GPUS_IN_USE, s->job_in_use);
}
