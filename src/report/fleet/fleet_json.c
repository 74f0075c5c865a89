/* fleet_json.c - a fleet's jobs as JSON. */
#include <math.h>
#include <string.h>

#include "report/fleet/fleet_report.h"
#include "report/json/json.h"

/* More numbers of missing ranks nobody reads; how many there are is told beside. */
enum { MOST_NUMBERS = 100000 };

static void number(struct gput__json *j, const char *key, double value)
{
    if (isfinite(value) && value == floor(value))
        gput__json_count(j, key, value);
    else
        gput__json_double(j, key, value);
}

/* -1 is null. */
static void whole(struct gput__json *j, const char *key, int value)
{
    if (value < 0)
        gput__json_null(j, key);
    else
        gput__json_count(j, key, value);
}

static void write_missing(struct gput__json *j, const char *key,
                          const struct gput__fleet_missing *m)
{
    int n = 0;

    gput__json_open_list(j, key);
    for (size_t i = 0; i < m->n; i++)
        for (int k = m->range[i].from; k <= m->range[i].to && n < MOST_NUMBERS; k++, n++)
            gput__json_count(j, NULL, k);
    gput__json_close_list(j);
}

static void write_job(struct gput__json *j, const struct gput__fleet_job *job)
{
    const struct gput__fleet_job_id *id = job->id;
    int missing = job->expected_ranks - (int)job->n_ranks;

    if (missing < 0 || job->missing_ranks.n > 0)
        missing = (int)job->missing_ranks.n_missing;
    gput__json_open(j, "job");
    gput__json_string(j, "id", id->id);
    gput__json_bool(j, "has_id", id->has_id);
    gput__json_string(j, "step", id->step);
    gput__json_count(j, "restart", id->restart > 0 ? id->restart : 0);
    gput__json_string(j, "launcher", id->launcher);
    gput__json_string(j, "name", id->name);
    gput__json_string(j, "array_job", id->array_job);
    gput__json_string(j, "array_task", id->array_task);
    gput__json_string(j, "command", job->command);
    gput__json_bool(j, "is_complete", gput__fleet_job_is_complete(job));
    gput__json_count(j, "n_nodes", (double)job->n_nodes);
    whole(j, "expected_nodes", job->expected_nodes);
    gput__json_count(j, "n_ranks", (double)job->n_ranks);
    whole(j, "expected_ranks", job->expected_ranks);
    gput__json_count(j, "n_missing_ranks", missing);
    write_missing(j, "missing_ranks", &job->missing_ranks);
    gput__json_count(j, "n_missing_nodes", (double)job->n_missing_nodes);
    write_missing(j, "missing_nodes", &job->missing_nodes);
    gput__json_close(j);
}

static void write_totals(struct gput__json *j, const struct gput__fleet_totals *t)
{
    gput__json_open(j, "totals");
    number(j, "start", t->start);
    number(j, "end", t->end);
    number(j, "wall_seconds", t->wall_seconds);
    number(j, "cpu_seconds", t->cpu_seconds);
    number(j, "cpu_seconds_given", t->cpu_seconds_given);
    number(j, "max_ram_at_once", t->max_ram_at_once);
    number(j, "max_ram_at_once_after", t->max_ram_when);
    gput__json_bool(j, "shared_ram_counts_once", t->is_ram_shared_once);
    number(j, "sum_of_node_peaks", t->sum_of_node_peaks);
    number(j, "sum_of_peak_ram", t->sum_of_peak_ram);
    number(j, "gpu_seconds_held", t->gpu_seconds_held);
    number(j, "gpu_seconds_busy", t->gpu_seconds_busy);
    number(j, "gpu_seconds_idle", t->gpu_seconds_held - t->gpu_seconds_busy);
    number(j, "energy_joules", t->energy);
    number(j, "disk_read_bytes", t->disk_read);
    number(j, "disk_write_bytes", t->disk_write);
    number(j, "net_received_bytes", t->net_received);
    number(j, "net_sent_bytes", t->net_sent);
    gput__json_close(j);
}

static const char *ending_word(enum gput__fleet_ending how)
{
    static const char *const words[] = {
        [GPUT__FLEET_UNKNOWN] = NULL,        [GPUT__FLEET_EXITED] = "exited",
        [GPUT__FLEET_SIGNALED] = "signaled", [GPUT__FLEET_GONE] = "gone",
        [GPUT__FLEET_DETACHED] = "detached", [GPUT__FLEET_RUNNING] = "running",
        [GPUT__FLEET_KILLED] = "killed",
    };

    return words[how];
}

static void write_rank(struct gput__json *j, const struct gput__fleet_job *job,
                       const struct gput__job_rank *r)
{
    const struct gput__fleet_rank *rank = r->rank;

    gput__json_open(j, NULL);
    whole(j, "rank", rank->rank);
    gput__json_string(j, "node", job->nodes[r->node].name);
    whole(j, "local_rank", rank->local_rank);
    whole(j, "pid", rank->pid);
    gput__json_string(j, "ending", ending_word(rank->ending.how));
    whole(j, "exit_code", rank->ending.exit_code);
    whole(j, "signal", rank->ending.signal);
    gput__json_bool(j, "timed_out", rank->ending.timed_out);
    gput__json_string(j, "killed_for_memory", rank->ending.killed_for_memory);
    number(j, "start", r->start);
    number(j, "end", r->end);
    number(j, "wall_seconds", rank->wall_seconds);
    number(j, "cpu_seconds", rank->cpu_seconds);
    number(j, "max_ram", rank->max_ram);
    number(j, "max_pss", rank->max_pss);
    number(j, "max_gpu_ram", rank->max_gpu_ram);
    number(j, "gpu_seconds_held", r->gpu_held);
    number(j, "gpu_seconds_busy", r->gpu_busy);
    number(j, "disk_read_bytes", rank->disk_read);
    number(j, "disk_write_bytes", rank->disk_write);
    gput__json_string(j, "limited_by", rank->ending.limited_by);
    gput__json_close(j);
}

static void write_gpus(struct gput__json *j, const struct gput__fleet_file *f)
{
    gput__json_open_list(j, "gpus");
    for (uint32_t i = 0; i < f->n_gpus; i++) {
        const struct gput__fleet_gpu *g = &f->gpus[i];

        gput__json_open(j, NULL);
        whole(j, "index", g->index);
        gput__json_string(j, "name", g->name);
        gput__json_string(j, "uuid", g->uuid);
        gput__json_string(j, "state", g->state);
        number(j, "mean_utilization_percent", g->mean_use);
        number(j, "max_memory", g->max_memory);
        number(j, "memory_total", g->memory);
        number(j, "energy_joules", g->energy);
        number(j, "xid_events", g->xid_events);
        gput__json_close(j);
    }
    gput__json_close_list(j);
}

static void write_node(struct gput__json *j, const struct gput__job_node *node)
{
    gput__json_open(j, NULL);
    gput__json_string(j, "node", node->name);
    whole(j, "index", node->index);
    gput__json_count(j, "n_ranks", (double)node->n_ranks);
    whole(j, "expected_ranks", node->local_size);
    gput__json_bool(j, "is_final", node->is_final);
    number(j, "cores", node->cores);
    number(j, "cpu_seconds", node->cpu_seconds);
    number(j, "cpu_seconds_system", node->cpu_seconds_system);
    number(j, "max_ram_job", node->max_ram_job);
    number(j, "max_ram_system", node->max_ram_system);
    number(j, "ram_capacity", node->ram_capacity);
    number(j, "gpu_seconds_held", node->gpu_held);
    number(j, "gpu_seconds_busy", node->gpu_busy);
    number(j, "clock_ahead_seconds", node->clock_ahead);
    write_gpus(j, node->files[0]);
    gput__json_close(j);
}

static void write_spread(struct gput__json *j, const char *key, const struct gput__spread *s)
{
    gput__json_open(j, key);
    gput__json_count(j, "n", (double)s->n);
    number(j, "min", s->min);
    number(j, "median", s->median);
    number(j, "mean", s->mean);
    number(j, "max", s->max);
    gput__json_close(j);
}

static void write_spreads(struct gput__json *j, const struct gput__fleet_spreads *s)
{
    gput__json_open(j, "imbalance");
    number(j, "wall_seconds", gput__spread_imbalance(&s->wall));
    number(j, "cpu_seconds", gput__spread_imbalance(&s->cpu_seconds));
    number(j, "max_ram", gput__spread_imbalance(&s->max_ram));
    number(j, "gpu_busy", gput__spread_imbalance(&s->gpu_busy));
    gput__json_close(j);
    gput__json_open(j, "spread_of_ranks");
    write_spread(j, "wall_seconds", &s->wall);
    write_spread(j, "cpu_seconds", &s->cpu_seconds);
    write_spread(j, "cpu_percent", &s->cpu_percent);
    write_spread(j, "max_ram", &s->max_ram);
    write_spread(j, "max_gpu_ram", &s->max_gpu_ram);
    write_spread(j, "gpu_busy_percent", &s->gpu_busy);
    write_spread(j, "start", &s->start);
    write_spread(j, "end", &s->end);
    gput__json_close(j);
    gput__json_open(j, "spread_of_nodes");
    write_spread(j, "cpu_seconds", &s->node_cpu_seconds);
    write_spread(j, "max_ram_job", &s->node_ram_job);
    write_spread(j, "max_ram_system", &s->node_ram_system);
    write_spread(j, "gpu_busy_percent", &s->node_gpu_busy);
    gput__json_close(j);
    number(j, "start_skew_seconds", s->start.max - s->start.min);
    number(j, "end_skew_seconds", s->end.max - s->end.min);
}

static void write_stragglers(struct gput__json *j, const struct gput__fleet_job *job)
{
    gput__json_open_list(j, "stragglers");
    for (size_t i = 0; i < job->n_stragglers; i++) {
        const struct gput__straggler *s = &job->stragglers[i];
        const struct gput__job_rank *r = &job->ranks[s->rank];

        gput__json_open(j, NULL);
        whole(j, "rank", r->rank->rank);
        gput__json_string(j, "node", job->nodes[r->node].name);
        gput__json_string(j, "figure", gput__fleet_figure_names[s->figure]);
        number(j, "value", s->value);
        number(j, "median", s->median);
        gput__json_string(j, "kind", s->is_chronic ? "chronic" : "once");
        number(j, "from", s->is_chronic ? NAN : s->from);
        number(j, "to", s->is_chronic ? NAN : s->to);
        gput__json_bool(j, "is_node_wide", s->is_node_wide);
        gput__json_close(j);
    }
    gput__json_close_list(j);
}

static void write_failures(struct gput__json *j, const struct gput__fleet_job *job)
{
    gput__json_open_list(j, "failures");
    for (size_t i = 0; i < job->n_failures; i++) {
        const struct gput__fleet_failure *f = &job->failures[i];
        const struct gput__job_rank *r = &job->ranks[f->rank];
        char words[GPUT__FLEET_WORDS];

        gput__json_open(j, NULL);
        whole(j, "rank", r->rank->rank);
        gput__json_string(j, "node", job->nodes[r->node].name);
        gput__json_string(j, "what", gput__fleet_failing_names[f->what]);
        whole(j, "number", f->number);
        number(j, "after", f->at);
        gput__json_string(j, "words", gput__fleet_failure_words(f, words));
        gput__json_close(j);
    }
    gput__json_close_list(j);
}

static void write_members(struct gput__json *j, const struct gput__fleet_job *job)
{
    write_job(j, job);
    write_totals(j, &job->totals);
    write_spreads(j, &job->spread);
    write_failures(j, job);
    write_stragglers(j, job);
    gput__json_open_list(j, "nodes");
    for (size_t i = 0; i < job->n_nodes; i++)
        write_node(j, &job->nodes[i]);
    gput__json_close_list(j);
    gput__json_open_list(j, "ranks");
    for (size_t i = 0; i < job->n_ranks; i++)
        write_rank(j, job, &job->ranks[i]);
    gput__json_close_list(j);
}

void gput__fleet_json(const struct gput__fleet_report *r, struct gput__buf *out)
{
    struct gput__json j = { .out = out };

    gput__json_open(&j, NULL);
    gput__json_count(&j, "schema", 1);
    gput__json_string(&j, "kind", "gpu-tracker-fleet");
    if (r->n_jobs == 1) {
        write_members(&j, r->jobs);
    } else {
        gput__json_open_list(&j, "jobs");
        for (size_t i = 0; i < r->n_jobs; i++) {
            gput__json_open(&j, NULL);
            write_members(&j, &r->jobs[i]);
            gput__json_close(&j);
        }
        gput__json_close_list(&j);
    }
    gput__json_open_list(&j, "faults");
    for (size_t i = 0; i < r->fleet->n_faults; i++) {
        gput__json_open(&j, NULL);
        gput__json_string(&j, "text", r->fleet->faults[i].text);
        gput__json_bool(&j, "is_harmless", r->fleet->faults[i].is_harmless);
        gput__json_close(&j);
    }
    gput__json_close_list(&j);
    gput__json_close(&j);
    gput__buf_putc(out, '\n');
}
