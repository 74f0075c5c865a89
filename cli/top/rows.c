/* rows.c - which processes are shown, and in which order. */
#include "top/rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool top_name_has(const char *name, const char *word)
{
    return strcasestr(name, word) != NULL;
}

static bool is_folded(const struct top_wish *w, pid_t pid)
{
    for (int i = 0; i < w->n_folded; i++)
        if (w->folded[i] == pid)
            return true;
    return false;
}

void top_fold(struct top_wish *w, pid_t pid)
{
    for (int i = 0; i < w->n_folded; i++)
        if (w->folded[i] == pid) {
            w->folded[i] = w->folded[--w->n_folded];
            return;
        }
    if (w->n_folded == TOP_MOST_FOLDED) /* the oldest gives way */
        memmove(w->folded, w->folded + 1, (size_t)--w->n_folded * sizeof(*w->folded));
    w->folded[w->n_folded++] = pid;
}

static int make_tree(const struct top_model *m, const struct top_wish *w, struct top_row *ret)
{
    int n = 0, hidden_below = -1; /* a depth: deeper ones are folded away */

    for (int i = 0; i < m->n; i++) {
        const struct top_process *p = &m->processes[i];
        bool folded;

        if (hidden_below >= 0 && p->depth > hidden_below)
            continue;
        folded = p->has_children && is_folded(w, p->is.pid);
        hidden_below = folded ? p->depth : -1;
        ret[n++] = (struct top_row){ p, folded };
    }
    return n;
}

int top_most_first(double a, double b)
{
    a = isnan(a) ? -1 : a;
    b = isnan(b) ? -1 : b;
    return (a < b) - (a > b);
}

static int by_pid(const void *a, const void *b)
{
    pid_t x = ((const struct top_row *)a)->process->is.pid;
    pid_t y = ((const struct top_row *)b)->process->is.pid;

    return (x > y) - (x < y);
}

static int or_by_pid(int order, const void *a, const void *b)
{
    return order ? order : by_pid(a, b);
}

#define ORDER(name, member)                                                                        \
    static int name(const void *a, const void *b)                                                  \
    {                                                                                              \
        const struct top_row *x = a, *y = b;                                                       \
                                                                                                   \
        return or_by_pid(top_most_first(x->process->member, y->process->member), a, b);            \
    }
ORDER(by_cpu, cpu_percent)
ORDER(by_memory, is.pss)
ORDER(by_time, is.cpu_seconds)
ORDER(by_gpu, gpu_ram)

static void invert(struct top_row *rows, int n)
{
    for (int i = 0; i < n / 2; i++) {
        struct top_row last = rows[n - 1 - i];

        rows[n - 1 - i] = rows[i];
        rows[i] = last;
    }
}

int top_rows_make(const struct top_model *m, const struct top_wish *w, struct top_row *ret)
{
    static int (*const orders[])(const void *, const void *) = {
        [TOP_BY_CPU] = by_cpu, [TOP_BY_MEMORY] = by_memory, [TOP_BY_TIME] = by_time,
        [TOP_BY_PID] = by_pid, [TOP_BY_GPU] = by_gpu,
    };
    int n = 0;

    if (w->order == TOP_TREE && !w->filter[0])
        return make_tree(m, w, ret);
    for (int i = 0; i < m->n; i++)
        if (top_name_has(m->processes[i].is.name, w->filter))
            ret[n++] = (struct top_row){ &m->processes[i], false };
    if (w->order != TOP_TREE && n)
        qsort(ret, (size_t)n, sizeof(*ret), orders[w->order]);
    if (w->order != TOP_TREE && w->is_inverted)
        invert(ret, n);
    return n;
}

int top_rows_search(const struct top_row *rows, int n, int from, const char *word)
{
    for (int i = 0; i < n; i++) {
        int at = (from + i) % n;

        if (top_name_has(rows[at].process->is.name, word))
            return at;
    }
    return -1;
}
