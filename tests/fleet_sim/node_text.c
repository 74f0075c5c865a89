/* node_text.c - a node of the plan as the JSON of docs/FLEET.md. */
#include "node_text.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Text that grows to the right; NODE_TEXT_SIZE is more than any. */
struct text {
    char *at;
};

static void put(struct text *t, const char *s)
{
    size_t n = strlen(s);

    memcpy(t->at, s, n);
    t->at += n;
}

/* One decimal, as fast as a million of them need. */
static void put_number(struct text *t, double value)
{
    uint64_t tenths = (uint64_t)(value * 10 + 0.5), whole = tenths / 10;
    char digits[24];
    int n = 0;

    do
        digits[n++] = (char)('0' + whole % 10);
    while (whole /= 10);
    while (n > 0)
        *t->at++ = digits[--n];
    if (tenths % 10) {
        *t->at++ = '.';
        *t->at++ = (char)('0' + tenths % 10);
    }
}

__attribute__((format(printf, 2, 3))) static void put_format(struct text *t, const char *format,
                                                             ...)
{
    va_list ap;

    va_start(ap, format);
    t->at += vsprintf(t->at, format, ap);
    va_end(ap);
}

/* The pair of the lowest and the highest of each bucket, in the order in which they occurred. */
static void put_column(struct text *t, const char *name, const float *value, int points)
{
    int pairs = points / 2;

    put_format(t, "\"%s\":[", name);
    for (int p = 0; p < pairs; p++) {
        int from = p * MOMENTS / pairs, to = (p + 1) * MOMENTS / pairs, low = from, high = from;

        for (int k = from; k < to; k++) {
            low = value[k] < value[low] ? k : low;
            high = value[k] > value[high] ? k : high;
        }
        if (p > 0)
            *t->at++ = ',';
        put_number(t, (double)value[low < high ? low : high]);
        *t->at++ = ',';
        put_number(t, (double)value[low < high ? high : low]);
    }
    put(t, "]");
}

static void put_times(struct text *t, double start, double length, int points)
{
    int pairs = points / 2;

    put(t, "\"t\":[");
    for (int p = 0; p < pairs; p++) {
        int from = p * MOMENTS / pairs, to = (p + 1) * MOMENTS / pairs - 1;

        if (p > 0)
            *t->at++ = ',';
        put_number(t, start + length * from / MOMENTS);
        *t->at++ = ',';
        put_number(t, start + length * to / MOMENTS);
    }
    put(t, "]");
}

static void put_result(struct text *t, const struct rank *r)
{
    static const char usual[] =
#include "usual_result.h"
        ;

    put_format(t,
               "{\"schema\":1,\"max_ram\":{\"unit\":\"bytes\",\"combined\":{\"total_rss\":%.0f}},"
               "\"cpu_utilization\":{\"system_core_count\":64,\"n_expected_cores\":1,"
               "\"combined\":{\"max_sum_percent\":%.3f,\"mean_sum_percent\":%.3f}},"
               "\"compute_time\":{\"unit\":\"seconds\",\"time\":%.6f},",
               r->max_ram, r->level * 1.1, r->level, r->end - r->start);
    put(t, usual);
}

static void put_gpus(struct text *t, const struct options *o, const struct rank *r, int local)
{
    double held = r->end - r->start;

    put(t, "\"gpus\":[");
    if (o->gpus > 0)
        put_format(t,
                   "{\"index\":%d,\"uuid\":\"GPU-%02d\",\"held\":\"environment\","
                   "\"seconds_held\":%.3f,\"seconds_busy\":%.3f}",
                   local % o->gpus, local % o->gpus, held, r->gpu_busy);
    put(t, "],");
}

static void put_rank(struct text *t, const struct options *o, const struct node *node, int local)
{
    const struct rank *r = &node->rank[local];
    double start = o->start + node->skew, held = r->end - r->start;
    bool is_killed = r->fault == FAULT_KILLED;

    put_format(t,
               "{\"rank\":%d,\"local_rank\":%d,\"pid\":%d,\"ending\":\"%s\",\"exit_code\":%s,"
               "\"signal\":null,\"timed_out\":false,\"killed_for_memory\":\"no\",\"start\":%.6f,"
               "\"start_boot\":%.3f,\"end\":%.6f,\"wall_seconds\":%.6f,\"cpu_seconds\":%.6f,"
               "\"max_ram\":%.0f,\"max_gpu_ram\":%s,\"max_pss\":%.0f,\"measures_node\":%s,",
               node->index * o->ranks + local, local, 4000 + local, is_killed ? "killed" : "exited",
               is_killed ? "null" : "0", start + r->start, 5000 + r->start, start + r->end, held,
               r->cpu_seconds, r->max_ram, o->gpus ? "21474836480" : "null", r->max_ram,
               local == 0 ? "true" : "false");
    put_gpus(t, o, r, local);
    put(t, "\"result\":");
    put_result(t, r);
    put(t, ",\"provenance\":0,\"series\":{");
    put_times(t, r->start, held, RANK_POINTS);
    put(t, ",");
    put_column(t, "ram", r->memory, RANK_POINTS);
    put(t, ",");
    put_column(t, "pss", r->memory, RANK_POINTS);
    put(t, ",");
    put_column(t, "cpu", r->cpu, RANK_POINTS);
    if (o->gpus > 0) {
        put(t, ",");
        put_column(t, "gpu", r->gpu, RANK_POINTS);
    } else {
        put(t, ",\"gpu\":null");
    }
    put(t, ",\"gpu_ram\":null}}");
}

static double most_of(const float *value)
{
    double most = 0;

    for (int k = 0; k < MOMENTS; k++)
        most = fmax(most, (double)value[k]);
    return most;
}

static void put_node_result(struct text *t, const struct options *o, const struct node *node)
{
    double cpu = 0, peaks = 0, end = 0, job = most_of(node->ram_job);

    for (int i = 0; i < node->n_ranks; i++) {
        cpu += node->rank[i].cpu_seconds;
        peaks += node->rank[i].max_ram;
        end = fmax(end, node->rank[i].end);
    }
    put_format(t,
               "\"result\":{\"ram_capacity\":274877906944,\"ram_at_start\":2000000000,"
               "\"max_ram_system\":%.0f,\"cores\":64,\"cpu_seconds_system\":%.3f,"
               "\"gpu_ram_capacity\":null,\"max_gpu_ram_system\":null,\"n_gpus\":%d,"
               "\"disk_read_bytes\":0,\"disk_write_bytes\":0,\"net_received_bytes\":1000000,"
               "\"net_sent_bytes\":1000000,\"energy_joules\":%s,\"wall_seconds\":%.3f,"
               "\"cpu_seconds\":%.6f,\"sum_of_peak_ram\":%.0f,\"max_ram_job\":%.0f,"
               "\"max_ram_job_source\":\"pss\"},\"gpus\":[],",
               job + 2e9, cpu * 1.01, o->gpus, o->gpus ? "1000000" : "null", end, cpu, peaks, job);
}

static void put_head(struct text *t, const struct options *o, const struct node *node)
{
    double wall = o->start + node->skew;
    bool is_skewed = node->skew > 0 || node->skew < 0;

    put_format(t,
               "{\"schema\":1,\"kind\":\"gpu-tracker-node\",\"run\":{\"id\":\"%016x\","
               "\"start_time\":null,\"host\":\"node%04d\",\"version\":\"0.1.0\",\"command\":"
               "\"./solver --steps 1000\",\"folder\":\"/home/u\",\"job_name\":null,\"tags\":{}},"
               "\"gathering\":\"%s-%s-%d-%d\",\"job\":{\"id\":\"%s\",\"has_id\":true,\"step\":"
               "\"%s\",\"launcher\":\"slurm\",\"name\":\"solver\",\"restart\":%d,\"size\":%d,"
               "\"n_nodes\":%d,\"array_job\":null,\"array_task\":null},",
               (unsigned)node->index, node->index, o->job, o->step, o->restart, node->index, o->job,
               o->step, o->restart, o->nodes * o->ranks, o->nodes);
    put_format(t,
               "\"node\":{\"name\":\"node%04d\",\"host\":\"node%04d\",\"index\":%d,\"boot_id\":"
               "null,\"local_size\":%d},\"clock\":{\"wall\":%.6f,\"boot\":5000,\"max_error\":%s,"
               "\"synchronized\":%s},\"written\":{\"wall\":%.6f,\"boot\":9000,\"is_final\":true},",
               node->index, node->index, node->index, o->ranks, wall, is_skewed ? "16" : "0.01",
               is_skewed ? "false" : "true", wall + plan_length(o));
}

size_t node_text(const struct options *o, const struct node *node, char *ret)
{
    struct text t = { ret };

    put_head(&t, o, node);
    put(&t, "\"ranks\":[");
    for (int i = 0; i < node->n_ranks; i++) {
        put(&t, i ? "," : "");
        put_rank(&t, o, node, i);
    }
    put(&t, "],\"provenance\":[[{\"source\":\"sampled\",\"why\":\"the largest seen\",\"figures\":"
            "[\"max_ram.system\"]}]],");
    put_node_result(&t, o, node);
    put(&t, "\"series\":{");
    put_times(&t, 0, plan_length(o), NODE_POINTS);
    put(&t, ",");
    put_column(&t, "ram_system", node->ram_job, NODE_POINTS);
    put(&t, ",");
    put_column(&t, "ram_job", node->ram_job, NODE_POINTS);
    put(&t, ",");
    put_column(&t, "cpu_system", node->cpu, NODE_POINTS);
    put(&t, ",\"gpu\":null,\"gpu_ram\":null},\"verdicts\":[]}\n");
    return (size_t)(t.at - ret);
}
