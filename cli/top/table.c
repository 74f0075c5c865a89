/* table.c - a line of the table of processes. */
#include "top/table.h"

#include "terminal/amounts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Columns that the tree may take of the last one. */
enum { MOST_INDENT = 40 };
/* On a narrower screen there is no column for threads, nor one for the CPU time. */
enum { WIDE = 72, MIDDLE = 56 };

struct cells {
    char pid[16], state[4], threads[16], cpu[16], time[AMOUNT_SIZE], pss[AMOUNT_SIZE],
        rss[AMOUNT_SIZE], gpu[AMOUNT_SIZE];
};

static void join(const struct top_columns *c, const struct cells *l, const char *name,
                 char ret[TOP_ROW_SIZE])
{
    char *p = ret, *end = ret + TOP_ROW_SIZE;

    p += snprintf(p, (size_t)(end - p), "%7.7s %1.1s", l->pid, l->state);
    if (c->width >= WIDE)
        p += snprintf(p, (size_t)(end - p), " %4.5s", l->threads);
    p += snprintf(p, (size_t)(end - p), " %6.7s", l->cpu);
    if (c->width >= MIDDLE)
        p += snprintf(p, (size_t)(end - p), " %9.12s", l->time);
    p += snprintf(p, (size_t)(end - p), " %8.9s %8.9s", l->pss, l->rss);
    if (c->has_gpu)
        p += snprintf(p, (size_t)(end - p), " %8.9s", l->gpu);
    snprintf(p, (size_t)(end - p), "  %s", name);
}

void top_table_head(const struct top_columns *c, char ret[TOP_ROW_SIZE])
{
    static const struct cells heads = {
        "PID", "S", "THR", "CPU %", "TIME", "PSS", "RSS", "GPU RAM"
    };

    join(c, &heads, "COMMAND", ret);
    top_cut(ret, c->width);
}

void top_table_process(const struct top_columns *c, const struct top_process *p, bool is_folded,
                       char ret[TOP_ROW_SIZE])
{
    int indent = c->is_flat ? 0 : 2 * p->depth < MOST_INDENT ? 2 * p->depth : MOST_INDENT;
    char name[MOST_INDENT + 80], command[sizeof(p->is.name)];
    struct cells l;

    snprintf(l.pid, sizeof(l.pid), "%d", p->is.pid);
    snprintf(l.state, sizeof(l.state), "%c",
             p->is.state > ' ' && p->is.state < 127 ? p->is.state : '?');
    snprintf(l.threads, sizeof(l.threads), "%d", p->is.n_threads);
    snprintf(l.cpu, sizeof(l.cpu), isnan(p->cpu_percent) ? "?" : "%.1f", p->cpu_percent);
    amount_clock(p->is.cpu_seconds, l.time);
    amount_bytes(p->is.pss, l.pss);
    amount_bytes(p->is.rss, l.rss);
    l.gpu[0] = '\0';
    if (!isnan(p->gpu_ram))
        amount_bytes(p->gpu_ram, l.gpu);
    snprintf(command, sizeof(command), "%s", p->is.name);
    snprintf(name, sizeof(name), "%*s%s%s", indent, "", is_folded ? "+ " : "",
             gput_text_plain(command));
    join(c, &l, name, ret);
    top_cut(ret, c->width);
}

bool top_table_exited(const struct top_columns *c, const struct top_model *m,
                      char ret[TOP_ROW_SIZE])
{
    const struct top_exited *e = &m->exited;
    struct cells l = { .pid = "ended" };
    char name[80];

    if (!(e->n > 0))
        return false;
    if (!isnan(e->cpu_seconds))
        amount_clock(e->cpu_seconds, l.time);
    snprintf(name, sizeof(name), "%.0f process%s that ended", e->n, e->n > 1 ? "es" : "");
    join(c, &l, name, ret);
    top_cut(ret, c->width);
    return true;
}
