/* now_json.c - what a job holds just now, and its processes, as JSON for the live page. */
#include "api/serve/now_json.h"

#include <math.h>
#include <stdlib.h>

#include "base/text/dtoa.h"
#include "report/html/html_text.h"

/* More are no table that anybody reads: the largest stay. */
enum { MOST_PROCESSES = 200 };

static void write_number(struct gput__buf *out, const char *key, double value)
{
    char text[32];

    gput__dtoa(value, text);
    gput__buf_printf(out, "\"%s\":%s,", key, isfinite(value) ? text : "null");
}

static void write_process(struct gput__buf *out, const struct gput_view *v,
                          const struct gput_live_process *p)
{
    const char state[] = { p->state, '\0' };

    gput__buf_printf(out, "{\"pid\":%d,\"parent\":%d,\"threads\":%d,", p->pid, p->ppid,
                     p->n_threads);
    write_number(out, "cpu", p->cpu_seconds);
    write_number(out, "age", p->age);
    write_number(out, "rss", p->rss);
    write_number(out, "pss", p->pss);
    write_number(out, "gpu", gput_process_gpu_ram(v->usage, p->pid));
    gput__buf_puts(out, "\"state\":");
    gput__html_json(out, state);
    gput__buf_puts(out, ",\"name\":");
    gput__html_json(out, p->name);
    gput__buf_putc(out, '}');
}

static int by_memory(const void *a, const void *b)
{
    const struct gput_live_process *const *x = a, *const *y = b;

    return ((*x)->rss < (*y)->rss) - ((*x)->rss > (*y)->rss);
}

static void write_processes(struct gput__buf *out, const struct gput_view *v)
{
    size_t n = v->n_processes > 0 ? (size_t)v->n_processes : 0;
    const struct gput_live_process **all = calloc(n + 1, sizeof(struct gput_live_process *));

    for (size_t i = 0; all && i < n; i++)
        all[i] = &v->processes[i];
    if (all && n > MOST_PROCESSES)
        qsort(all, n, sizeof(*all), by_memory);
    for (size_t i = 0; all && i < n && i < MOST_PROCESSES; i++) {
        gput__buf_puts(out, i ? "," : "");
        write_process(out, v, all[i]);
    }
    free(all);
}

static void write_live(struct gput__buf *out, const struct gput_live *l)
{
    write_number(out, "elapsed", l->elapsed);
    write_number(out, "timeLimit", l->time_limit);
    write_number(out, "nProcesses", l->n_processes);
    write_number(out, "nThreads", l->n_threads);
    write_number(out, "ram", l->ram);
    write_number(out, "ramLimit", l->ram_limit);
    write_number(out, "ramGrowth", l->ram_growth);
    write_number(out, "toLimit", l->seconds_to_limit);
    write_number(out, "cpu", l->cpu_percent);
    write_number(out, "cores", l->cores);
}

void gput__now_json(const struct gput_view *v, struct gput__buf *out)
{
    static const char *const states[] = {
        [GPUT_VIEW_RUNNING] = "running", [GPUT_VIEW_ENDED] = "ended", [GPUT_VIEW_LOST] = "lost"
    };

    gput__buf_printf(out, "{\"state\":\"%s\",", states[v->state]);
    write_live(out, &v->live);
    write_number(out, "polled", v->polled);
    gput__buf_puts(out, "\"processes\":[");
    write_processes(out, v);
    gput__buf_puts(out, "]}");
}
