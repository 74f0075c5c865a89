/* model.c - what a viewer shows of a run. */
#include "top/model.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- the use of each process ------------------------------------------------------------------ */

static int by_pid(const void *a, const void *b)
{
    pid_t x = ((const struct top_seen *)a)->pid, y = ((const struct top_seen *)b)->pid;

    return (x > y) - (x < y);
}

static double use_of(const struct top_model *m, const struct gput_live_process *p, double seconds)
{
    struct top_seen key = { .pid = p->pid };
    const struct top_seen *before =
        m->n_seen ? bsearch(&key, m->seen, (size_t)m->n_seen, sizeof(key), by_pid) : NULL;
    double used = p->cpu_seconds - (before ? before->cpu_seconds : 0);

    if (seconds <= 0 || (!before && p->age > seconds) || used < 0)
        return NAN;
    return 100 * used / seconds;
}

/* Those of the view, by pid; NULL: no memory. */
static struct top_seen *list_present(const struct gput_view *v)
{
    struct top_seen *seen = calloc((size_t)v->n_processes + 1, sizeof(*seen));

    for (int i = 0; seen && i < v->n_processes; i++)
        seen[i] = (struct top_seen){ v->processes[i].pid, v->processes[i].cpu_seconds };
    if (seen)
        qsort(seen, (size_t)v->n_processes, sizeof(*seen), by_pid);
    return seen;
}

/* --- the tree --------------------------------------------------------------------------------- */

/* Children behind each other, by parent and then by age. */
struct family {
    pid_t parent;
    double age;
    int at; /* in the view */
};

static int by_parent(const void *a, const void *b)
{
    const struct family *x = a, *y = b;

    if (x->parent != y->parent)
        return x->parent < y->parent ? -1 : 1;
    if (x->age > y->age || x->age < y->age)
        return x->age > y->age ? -1 : 1;
    return (x->at > y->at) - (x->at < y->at);
}

struct builder {
    struct top_model *m;
    const struct family *families;
    const struct top_seen *present;
    int n;
    double seconds; /* since the view before */
    bool *is_in;
};

/* The first of a process's children. */
static int first_child(const struct builder *b, pid_t parent)
{
    int low = 0, high = b->n;

    while (low < high) {
        int middle = (low + high) / 2;

        if (b->families[middle].parent < parent)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void add(struct builder *b, int at, int parent)
{
    struct top_model *m = b->m;
    const struct gput_live_process *p = &m->view.processes[at];

    b->is_in[at] = true;
    m->processes[m->n] = (struct top_process){
        .is = *p,
        .cpu_percent = use_of(m, p, b->seconds),
        .gpu_ram = gput_process_gpu_ram(m->view.usage, p->pid),
        .depth = parent < 0 ? 0 : m->processes[parent].depth + 1,
        .parent = parent,
    };
    if (parent >= 0)
        m->processes[parent].has_children = true;
    m->n++;
}

/* Each behind its parent, without recursion: a job may be a chain of thousands. */
static void add_family(struct builder *b, int root)
{
    struct top_model *m = b->m;
    int parent = -1, at = root;

    for (;;) {
        int next;
        pid_t pid;

        add(b, at, parent);
        for (parent = m->n - 1; parent >= 0; parent = m->processes[parent].parent) {
            pid = m->processes[parent].is.pid;
            next = first_child(b, pid);
            while (next < b->n && b->families[next].parent == pid && b->is_in[b->families[next].at])
                next++;
            if (next < b->n && b->families[next].parent == pid)
                break;
        }
        if (parent < 0)
            return;
        at = b->families[next].at;
    }
}

static bool is_of_job(const struct builder *b, pid_t pid)
{
    struct top_seen key = { .pid = pid };

    return bsearch(&key, b->present, (size_t)b->n, sizeof(key), by_pid);
}

static void build(struct builder *b)
{
    const struct gput_view *v = &b->m->view;

    b->m->n = 0;
    for (int i = 0; i < v->n_processes; i++)
        if (!b->is_in[i] && !is_of_job(b, v->processes[i].ppid))
            add_family(b, i);
    for (int i = 0; i < v->n_processes; i++) /* a ring, which only reused pids could make */
        if (!b->is_in[i])
            add_family(b, i);
}

/* --- those that have ended -------------------------------------------------------------------- */

static struct top_exited count_exited(const struct gput_view *v)
{
    struct top_exited e = { .n = NAN, .cpu_seconds = v->live.cpu_seconds };
    const struct gput_usage *u = v->usage;

    if (u->processes.n_groups)
        e.n = -v->n_processes - v->n_left_out;
    for (int i = 0; i < u->processes.n_groups; i++)
        e.n += u->processes.groups[i].count.value;
    if (e.n < 0)
        e.n = 0;
    for (int i = 0; i < v->n_processes; i++)
        e.cpu_seconds -= v->processes[i].cpu_seconds;
    if (e.cpu_seconds < 0 || v->n_left_out)
        e.cpu_seconds = v->n_left_out ? NAN : 0;
    return e;
}

static struct family *list_families(const struct gput_view *v)
{
    struct family *all = calloc((size_t)v->n_processes + 1, sizeof(*all));

    for (int i = 0; all && i < v->n_processes; i++)
        all[i] = (struct family){ v->processes[i].ppid, v->processes[i].age, i };
    if (all)
        qsort(all, (size_t)v->n_processes, sizeof(*all), by_parent);
    return all;
}

static int update_processes(struct top_model *m, const struct gput_view *v)
{
    size_t room = (size_t)v->n_processes + 1;
    struct top_process *processes = realloc(m->processes, room * sizeof(*processes));
    struct family *families = list_families(v);
    struct top_seen *present = list_present(v);
    struct builder b = { .m = m,
                         .families = families,
                         .present = present,
                         .n = v->n_processes,
                         .seconds = m->seen ? v->polled - m->polled_before : 0,
                         .is_in = calloc(room, sizeof(bool)) };
    bool has_room = processes && families && present && b.is_in;

    if (processes)
        m->processes = processes;
    if (has_room) {
        build(&b);
        free(m->seen);
        m->seen = present;
        m->n_seen = v->n_processes;
        m->polled_before = v->polled;
    } else {
        free(present);
    }
    free(families);
    free(b.is_in);
    return has_room ? 0 : -ENOMEM;
}

int top_model_update(struct top_model *m, const struct gput_view *view)
{
    m->view = *view;
    m->exited = count_exited(view);
    /* Of the same poll: nothing has moved. */
    return m->seen && view->polled <= m->polled_before ? 0 : update_processes(m, view);
}

void top_model_free(struct top_model *m)
{
    free(m->processes);
    free(m->seen);
    *m = (struct top_model){ 0 };
}
