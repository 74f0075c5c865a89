/* fleet_recommend.c - what to ask for, for a job on many nodes: in words, as JSON, as the lines of a
 * scheduler. */
#include "report/fleet/fleet_recommend.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analysis/fleet/fleet_ask.h"
#include "report/json/json.h"

/* What the lines rest on; `begin` stands in front of each. */
static void write_measured(const struct gput__fleet_job *job, const struct gput__fleet_ask *ask,
                           double margin, const char *begin, struct gput__buf *out)
{
    char words[GPUT__FLEET_WORDS];

    gput__buf_printf(out, "%s%s: %zu ranks on %zu nodes", begin, gput__fleet_job_words(job, words),
                     job->n_ranks, job->n_nodes);
    if (ask->node_peak > 0) {
        gput__buf_puts(out, ", at most ");
        gput__write_bytes(out, ask->node_peak);
        gput__buf_puts(out, " on a node");
    }
    gput__buf_puts(out, ", margin ");
    gput__write_percent(out, margin);
    gput__buf_putc(out, '\n');
    if (ask->is_short)
        gput__buf_printf(
            out, "%sNote: ranks or nodes are missing or failed; a whole run may need more.\n",
            begin);
}

static void write_text(const struct gput__fleet_job *job, const struct gput__fleet_ask *ask,
                       double margin, struct gput__buf *out)
{
    write_measured(job, ask, margin, "", out);
    gput__buf_printf(out, "Ask for:\n   %-22s%d\n   %-22s%d\n", "Nodes", ask->nodes,
                     "Tasks per node", ask->tasks_per_node);
    if (ask->task.cpu > 0)
        gput__buf_printf(out, "   %-22s%d\n", "Cores per task", ask->task.cpu);
    if (ask->node_memory_mib > 0) {
        gput__buf_printf(out, "   %-22s", "Memory per node");
        gput__write_mib(out, ask->node_memory_mib);
        gput__buf_putc(out, '\n');
    }
    if (ask->task.memory_mib > 0) {
        gput__buf_printf(out, "   %-22s", "Memory per task");
        gput__write_mib(out, ask->task.memory_mib);
        gput__buf_puts(out, " (if it is asked for by task)\n");
    }
    if (ask->gpus_per_node > 0)
        gput__buf_printf(out, "   %-22s%d\n", "GPUs per node", ask->gpus_per_node);
    if (ask->task.time > 0) {
        gput__buf_printf(out, "   %-22s", "Time");
        gput__write_duration(out, ask->task.time);
        gput__buf_putc(out, '\n');
    }
}

/* Slurm's --mem is for a node. */
static void write_slurm(const struct gput__fleet_ask *ask,
                        const struct gput__recommend_target *target, struct gput__buf *out)
{
    struct gput__recommendation node = { .ask = ask->task };

    node.ask.memory_mib = ask->node_memory_mib;
    node.ask.gpu = ask->gpus_per_node;
    gput__buf_printf(out, "#SBATCH --nodes=%d\n#SBATCH --ntasks-per-node=%d\n", ask->nodes,
                     ask->tasks_per_node);
    target->write(&node, out);
}

/* Others count in tasks: what one rank needs. */
static void write_target(const struct gput__fleet_job *job, const struct gput__fleet_ask *ask,
                         const struct gput__recommend_target *target, double margin,
                         struct gput__buf *out)
{
    const struct gput__recommendation task = { .margin = margin, .ask = ask->task };
    char begin[32];

    snprintf(begin, sizeof(begin), "%s%s", target->indent, target->comment);
    write_measured(job, ask, margin, begin, out);
    if (strcmp(target->name, "slurm") == 0) {
        write_slurm(ask, target, out);
        return;
    }
    gput__buf_printf(out, "%sFor one of %zu ranks:\n", begin, ask->n_ranks);
    target->write(&task, out);
}

static void write_json(struct gput__json *j, const struct gput__fleet_job *job,
                       const struct gput__fleet_ask *ask)
{
    const double none = NAN;

    gput__json_open(j, NULL);
    gput__json_string(j, "job", job->id->id);
    gput__json_string(j, "step", job->id->step);
    gput__json_count(j, "restart", job->id->restart > 0 ? job->id->restart : 0);
    gput__json_bool(j, "is_complete", !ask->is_short);
    gput__json_double(j, "node_memory_peak_bytes", ask->node_peak);
    gput__json_open(j, "recommendation");
    gput__json_count(j, "nodes", ask->nodes);
    gput__json_count(j, "tasks_per_node", ask->tasks_per_node);
    gput__json_count(j, "cpus_per_task", ask->task.cpu > 0 ? ask->task.cpu : none);
    gput__json_count(j, "memory_mib_per_node",
                     ask->node_memory_mib > 0 ? (double)ask->node_memory_mib : none);
    gput__json_count(j, "memory_mib_per_task",
                     ask->task.memory_mib > 0 ? (double)ask->task.memory_mib : none);
    gput__json_count(j, "gpus_per_node", ask->gpus_per_node);
    gput__json_double(j, "time_seconds", ask->task.time > 0 ? ask->task.time : none);
    gput__json_close(j);
    gput__json_close(j);
}

int gput__fleet_recommend(const struct gput__fleet_report *r,
                          const struct gput__recommend_target *target,
                          const struct gput_recommend_options *o, struct gput__buf *out)
{
    struct gput__json j = { .out = out };
    bool is_json = !target && o->format == GPUT_JSON;
    struct gput__fleet_ask ask;
    int s = 0;

    if (is_json) {
        gput__json_open(&j, NULL);
        gput__json_double(&j, "margin", o->margin);
        gput__json_open_list(&j, "jobs");
    }
    for (size_t i = 0; s == 0 && i < r->n_jobs; i++) {
        s = gput__fleet_ask(&r->jobs[i], o->margin, &ask);
        if (s < 0)
            break;
        if (is_json) {
            write_json(&j, &r->jobs[i], &ask);
            continue;
        }
        gput__buf_puts(out, i > 0 ? "\n" : "");
        if (target)
            write_target(&r->jobs[i], &ask, target, o->margin, out);
        else
            write_text(&r->jobs[i], &ask, o->margin, out);
    }
    if (is_json) {
        gput__json_close_list(&j);
        gput__json_close(&j);
        gput__buf_putc(out, '\n');
    }
    return s;
}
