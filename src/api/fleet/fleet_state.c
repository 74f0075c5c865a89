/* fleet_state.c - all that goes into the node's file of one tracker. */
#include "api/fleet/fleet.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "api/inside/helper.h"
#include "base/clock.h"
#include "base/system.h"
#include "base/text/redact.h"
#include "model/gpus.h"
#include "model/usage_rows.h"
#include "report/fleet/series_json.h"
#include "report/usage.h"

/* Moments that are kept of a rank, for sums with others; and points of a GPU. */
#define MOST_MOMENTS 720
#define MOST_POINTS_OF_GPU 60

static double known(const struct gput_figure *f)
{
    return f->source == GPUT_UNAVAILABLE ? NAN : f->value;
}

static double or_nan(int n)
{
    return n < 0 ? (double)NAN : n;
}

/* --- the figures that change all the time ----------------------------------------------------- */

void gput__fleet_figures(const struct gput_tracker *t, struct gput__rank_state *ret)
{
    struct gput__summary s = t->summary;
    bool has_gpu = gput__summary_has(&s, GPUT__COMBINED_GPU_RAM);

    gput__raise_peaks(t, &s);
    ret->number[GPUT__RANK_WALL] = gput__seconds(t->now.boot_ns - t->job.start_ns);
    ret->number[GPUT__RANK_CPU] = gput__sample_gain(&s.first, &t->now, GPUT__COMBINED_CPU);
    ret->number[GPUT__RANK_MAX_RAM] = s.max[GPUT__COMBINED_RAM];
    ret->number[GPUT__RANK_MAX_GPU_RAM] = has_gpu ? s.max[GPUT__COMBINED_GPU_RAM] : NAN;
    ret->number[GPUT__RANK_MAX_PSS] = t->job.fleet->max_pss;
}

static double cpu_of(const struct gput_usage *u)
{
    double main_cpu = known(&u->totals.main_cpu_seconds);
    double others = known(&u->totals.descendants_cpu_seconds);

    if (!isnan(main_cpu))
        return main_cpu + (isnan(others) ? 0 : others);
    return known(&u->totals.cpu_user_seconds) + known(&u->totals.cpu_system_seconds);
}

static void fill_numbers(const struct gput_tracker *t, const struct gput_usage *u,
                         struct gput__rank_state *ret)
{
    const struct gput_launch *l = &t->job.fleet->launch;
    double *n = ret->number, max_error;
    bool is_synchronized;

    gput__clock_quality(&is_synchronized, &max_error);
    n[GPUT__RANK_RANK] = or_nan(l->rank);
    n[GPUT__RANK_LOCAL] = or_nan(l->local_rank);
    n[GPUT__RANK_N_LOCAL] = or_nan(l->n_local);
    n[GPUT__RANK_PID] = u->job.pid;
    n[GPUT__RANK_CODE] = u->job.ending == GPUT_EXITED ? u->job.code : (double)NAN;
    n[GPUT__RANK_SIGNAL] = u->job.ending == GPUT_SIGNALED ? u->job.code : (double)NAN;
    n[GPUT__RANK_START] = (double)t->summary.first.real_ns / 1e9;
    n[GPUT__RANK_START_BOOT] = (double)t->job.start_ns / 1e9;
    n[GPUT__RANK_WALL] = known(&u->compute_time.time);
    n[GPUT__RANK_CPU] = cpu_of(u);
    n[GPUT__RANK_MAX_RAM] = known(&u->max_ram.combined.total_rss);
    n[GPUT__RANK_MAX_GPU_RAM] = known(&u->max_gpu_ram.combined);
    n[GPUT__RANK_MAX_PSS] = t->job.fleet->max_pss;
    n[GPUT__RANK_IS_FINAL] = t->end.at_ns != 0;
    n[GPUT__RANK_MAY_NODE] = t->job.fleet->was_elected;
    n[GPUT__RANK_SYNCHRONIZED] = is_synchronized;
}

/* --- moments ---------------------------------------------------------------------------------- */

/* The rows of the run as they lie in memory; all of it is the tracker's. */
struct rows {
    const struct gput__series *series;
    double **columns;
    size_t n;
    const struct gput_usage *usage;
    bool *held;                /* of each GPU */
    double start_real, offset; /* since the gathering began */
};

static double time_of(const struct rows *rows, size_t i)
{
    return rows->columns[GPUT__SERIES_TIME][i] - rows->start_real + rows->offset;
}

static double metric_at(const struct rows *rows, enum gput__metric m, size_t i)
{
    int at = gput__series_find(rows->series, m);

    return at < 0 || !rows->columns[at] ? NAN : rows->columns[at][i];
}

/* Of GPU g: how busy it is, or its memory. */
static double gpu_at(const struct rows *rows, uint32_t g, uint32_t what, size_t i)
{
    const double *column =
        rows->columns[GPUT__SERIES_FIRST + rows->series->n_metrics + 2 * g + what];

    return column ? column[i] : NAN;
}

static uint32_t n_gpus(const struct rows *rows)
{
    uint32_t n = rows->series->n_gpus;

    return n < (uint32_t)rows->usage->gpu.n_gpus ? n : (uint32_t)rows->usage->gpu.n_gpus;
}

static double gpu_sum(const struct rows *rows, bool held_alone, uint32_t what, size_t i)
{
    double sum = NAN;

    for (uint32_t g = 0; g < n_gpus(rows); g++) {
        double v = held_alone && !rows->held[g] ? NAN : gpu_at(rows, g, what, i);

        if (!isnan(v))
            sum = (isnan(sum) ? 0 : sum) + v;
    }
    return sum;
}

static double value_of(const struct rows *rows, int which, size_t i)
{
    switch (which) {
    case GPUT__MOMENT_TIME:
        return time_of(rows, i);
    case GPUT__MOMENT_RAM:
        return metric_at(rows, GPUT__COMBINED_RAM, i);
    case GPUT__MOMENT_PSS:
        return metric_at(rows, GPUT__JOB_PSS, i);
    case GPUT__MOMENT_CPU:
        return metric_at(rows, GPUT__COMBINED_CPU, i);
    case GPUT__MOMENT_SYSTEM_RAM:
        return metric_at(rows, GPUT__SYSTEM_RAM, i);
    case GPUT__MOMENT_SYSTEM_CPU:
        return metric_at(rows, GPUT__SYSTEM_CPU, i);
    case GPUT__MOMENT_GPU:
        return gpu_sum(rows, false, 0, i);
    case GPUT__MOMENT_GPU_RAM:
        return gpu_sum(rows, false, 1, i);
    case GPUT__MOMENT_HELD_GPU:
        return gpu_sum(rows, true, 0, i);
    default:
        return metric_at(rows, GPUT__COMBINED_GPU_RAM, i);
    }
}

/* The lowest and the highest of some rows, in the order in which they occurred. */
static void pair_of(const struct rows *rows, int which, size_t first, size_t end, double ret[2])
{
    size_t low = first, high = first;

    for (size_t i = first; i < end; i++) {
        double v = value_of(rows, which, i);

        if (isnan(value_of(rows, which, low)) || v < value_of(rows, which, low))
            low = i;
        if (isnan(value_of(rows, which, high)) || v > value_of(rows, which, high))
            high = i;
    }
    if (which == GPUT__MOMENT_TIME)
        low = first, high = end - 1;
    ret[0] = value_of(rows, which, low < high ? low : high);
    ret[1] = value_of(rows, which, low < high ? high : low);
}

static int copy_moments(const struct rows *rows, struct gput__moments *ret)
{
    size_t n = rows->n < MOST_MOMENTS ? rows->n : MOST_MOMENTS;
    int r = gput__moments_make(ret, n);

    for (int which = 0; r == 0 && which < GPUT__N_MOMENT_VALUES; which++) {
        if (n == rows->n)
            for (size_t i = 0; i < n; i++)
                ret->value[which][i] = value_of(rows, which, i);
        else
            for (size_t b = 0; b < n / 2; b++)
                pair_of(rows, which, b * rows->n / (n / 2), (b + 1) * rows->n / (n / 2),
                        &ret->value[which][2 * b]);
    }
    for (size_t i = 1; r == 0 && i < n; i++) /* a clock that was set back */
        if (ret->value[GPUT__MOMENT_TIME][i] <= ret->value[GPUT__MOMENT_TIME][i - 1])
            ret->value[GPUT__MOMENT_TIME][i] = ret->value[GPUT__MOMENT_TIME][i - 1] + 0.001;
    return r;
}

/* --- GPUs ------------------------------------------------------------------------------------- */

/* "0,2" or "GPU-1234,GPU-5": whether the list names this GPU. */
static bool is_named(const char *list, const struct gput_gpu *gpu)
{
    while (*list) {
        size_t len = strcspn(list, ",");
        char *end;
        long index = strtol(list, &end, 10);

        if (len > 0 && end == list + len && index == gpu->index)
            return true;
        /* the beginning of a UUID is enough where it is plain */
        if (len >= 8 && gpu->uuid && strncmp(list, gpu->uuid, len) == 0)
            return true;
        list += len + (list[len] == ',');
    }
    return false;
}

/* The GPUs that its environment leaves it; NULL: that names none. */
static const char *visible_gpus(void)
{
    static const char *const names[] = { "CUDA_VISIBLE_DEVICES", "ROCR_VISIBLE_DEVICES",
                                         "HIP_VISIBLE_DEVICES", "ZE_AFFINITY_MASK" };

    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
        if (getenv(names[i]))
            return getenv(names[i]);
    return NULL;
}

static bool has_process_on(const struct gput_usage *u, int index)
{
    for (int i = 0; i < u->gpu.n_processes; i++)
        if (u->gpu.processes[i].gpu == index)
            return true;
    return false;
}

/* How a GPU is known to be the rank's; NULL: it is not. */
static const char *why_held(const struct gput_usage *u, int g)
{
    const char *visible = visible_gpus();

    if (visible && is_named(visible, &u->gpu.gpus[g]))
        return "environment";
    return has_process_on(u, u->gpu.gpus[g].index) ? "process" : NULL;
}

static void write_held(struct gput__json *j, const struct gput_usage *u)
{
    double seconds = known(&u->compute_time.time);

    if (u->gpu_utilization.system_gpu_count.source == GPUT_UNAVAILABLE) {
        gput__json_null(j, "gpus");
        return;
    }
    gput__json_open_list(j, "gpus");
    for (int g = 0; g < u->gpu.n_gpus; g++) {
        const struct gput_gpu *gpu = &u->gpu.gpus[g];
        const char *how = why_held(u, g);

        if (!how)
            continue;
        gput__json_open(j, NULL);
        gput__json_count(j, "index", gpu->index);
        gput__json_string(j, "uuid", gpu->uuid);
        gput__json_string(j, "held", how);
        gput__json_double(j, "seconds_held", seconds);
        gput__json_double(j, "seconds_busy", seconds * known(&gpu->mean_utilization) / 100);
        gput__json_close(j);
    }
    gput__json_close_list(j);
}

static void write_gpu_series(struct gput__json *j, const struct rows *rows, uint32_t g)
{
    double *values[2] = { malloc((rows->n + 1) * sizeof(double)),
                          malloc((rows->n + 1) * sizeof(double)) };
    double *t = malloc((rows->n + 1) * sizeof(*t));
    struct gput__series_json s = { .n = rows->n,
                                   .t = t,
                                   .column = { { "use", values[0], 1 },
                                               { "memory", values[1], 0 } },
                                   .n_columns = 2,
                                   .most = MOST_POINTS_OF_GPU };

    if (!values[0] || !values[1] || !t || g >= n_gpus(rows))
        s.n = 0;
    for (size_t i = 0; i < s.n; i++) {
        t[i] = time_of(rows, i);
        values[0][i] = gpu_at(rows, g, 0, i);
        values[1][i] = gpu_at(rows, g, 1, i);
    }
    gput__series_json(j, "series", &s);
    free(values[0]);
    free(values[1]);
    free(t);
}

/* --- texts ------------------------------------------------------------------------------------ */

/* What was written becomes the text; of an object without its braces where it is members that are
 * wanted. */
static int keep(struct gput__buf *out, bool members_alone, char **ret)
{
    size_t len;

    if (out->err)
        return out->err;
    len = gput__json_compact(out->data);
    *ret = members_alone && len >= 2 ? strndup(out->data + 1, len - 2) : strdup(out->data);
    gput__buf_free(out);
    return *ret ? 0 : -ENOMEM;
}

static void string_or_null(struct gput__json *j, const char *key, const char *text)
{
    gput__json_string(j, key, text[0] ? text : NULL);
}

static int tell_job(const struct gput_launch *l, char **ret)
{
    struct gput__buf out = { 0 };
    struct gput__json j = { .out = &out };

    gput__json_open(&j, NULL);
    gput__json_string(&j, "id", l->job_id);
    gput__json_bool(&j, "has_id", l->has_job_id);
    gput__json_string(&j, "step", l->step);
    gput__json_string(&j, "launcher", l->launcher);
    string_or_null(&j, "name", l->job_name);
    gput__json_count(&j, "restart", l->restart);
    gput__json_count(&j, "size", or_nan(l->n_ranks));
    gput__json_count(&j, "n_nodes", or_nan(l->n_nodes));
    string_or_null(&j, "array_job", l->array_job);
    string_or_null(&j, "array_task", l->array_task);
    gput__json_close(&j);
    return keep(&out, false, ret);
}

static int tell_place(const struct gput_tracker *t, char **ret)
{
    const struct gput_launch *l = &t->job.fleet->launch;
    struct gput__buf out = { 0 };
    struct gput__json j = { .out = &out };
    char host[256] = "", boot[64] = "";

    if (gethostname(host, sizeof(host) - 1) < 0)
        host[0] = '\0';
    (void)gput__root_read(&t->sampler.proc, "sys/kernel/random/boot_id", boot, sizeof(boot));
    boot[strcspn(boot, "\n")] = '\0';
    gput__json_open(&j, NULL);
    gput__json_string(&j, "name", l->node);
    gput__json_string(&j, "host", host);
    gput__json_count(&j, "index", or_nan(l->node_index));
    string_or_null(&j, "boot_id", boot);
    gput__json_count(&j, "local_size", or_nan(l->n_local));
    gput__json_close(&j);
    return keep(&out, false, ret);
}

static int tell_clock(char **ret)
{
    struct gput__buf out = { 0 };
    struct gput__json j = { .out = &out };
    bool is_synchronized;
    double max_error;

    gput__clock_quality(&is_synchronized, &max_error);
    gput__json_open(&j, NULL);
    gput__json_double(&j, "max_error", max_error);
    gput__json_bool(&j, "synchronized", is_synchronized);
    gput__json_close(&j);
    return keep(&out, true, ret);
}

static int tell_result(const struct gput_usage *u, char **ret)
{
    struct gput__buf out = { 0 };

    (void)gput__usage_json_of_rank(u, &out); /* the buffer keeps the error */
    return keep(&out, false, ret);
}

/* The member of an object in compact JSON, as it stands there; NULL: there is none. */
static char *member_of(const char *object, const char *quoted_key)
{
    size_t key = strlen(quoted_key);
    bool in_string = false;
    int depth = 0;

    for (const char *p = object, *begin = NULL; *p; p++) {
        if (!in_string && depth == 1 && strncmp(p, quoted_key, key) == 0 && p[key] == ':')
            begin = p + key + 1;
        if (in_string && *p == '\\')
            p++;
        else if (*p == '"')
            in_string = !in_string;
        else if (!in_string && (*p == '{' || *p == '['))
            depth++;
        else if (!in_string && (*p == '}' || *p == ']'))
            depth--;
        if (begin && !in_string && p > begin && depth == 1 && (p[1] == ',' || p[1] == '}'))
            return strndup(begin, (size_t)(p + 1 - begin));
    }
    return NULL;
}

static int tell_rest(const struct gput_usage *u, char **ret, char **ret_run)
{
    struct gput__buf out = { 0 };
    struct gput__json j = { .out = &out };
    char *result = NULL;
    int r = tell_result(u, &result);

    if (r < 0)
        return r;
    gput__json_open(&j, NULL);
    gput__json_bool(&j, "timed_out", u->job.timed_out);
    gput__json_string(&j, "killed_for_memory", gput__oom_name(u->job.oom));
    write_held(&j, u);
    gput__json_raw(&j, "result", result);
    gput__json_close(&j);
    *ret_run = member_of(result, "\"run\"");
    free(result);
    return keep(&out, true, ret);
}

static double energy_of(const struct gput_usage *u)
{
    double sum = NAN;

    for (int g = 0; g < u->gpu.n_gpus; g++)
        if (!isnan(known(&u->gpu.gpus[g].energy)))
            sum = (isnan(sum) ? 0 : sum) + u->gpu.gpus[g].energy.value;
    return sum;
}

static int tell_node(const struct gput_tracker *t, const struct gput_usage *u, char **ret)
{
    const struct gput__sample *first = &t->summary.first;
    bool has_start = gput__sample_has(first, GPUT__SYSTEM_RAM);
    double seconds = known(&u->compute_time.time);
    struct gput__buf out = { 0 };
    struct gput__json j = { .out = &out };

    gput__json_open(&j, NULL);
    gput__json_count(&j, "ram_capacity", known(&u->max_ram.system_capacity));
    gput__json_count(&j, "ram_at_start", has_start ? first->value[GPUT__SYSTEM_RAM] : NAN);
    gput__json_count(&j, "max_ram_system", known(&u->max_ram.system));
    gput__json_count(&j, "cores", known(&u->cpu_utilization.system_core_count));
    gput__json_double(&j, "cpu_seconds_system",
                      known(&u->cpu_utilization.system.mean_sum_percent) / 100 * seconds);
    gput__json_count(&j, "gpu_ram_capacity", known(&u->max_gpu_ram.system_capacity));
    gput__json_count(&j, "max_gpu_ram_system", known(&u->max_gpu_ram.system));
    gput__json_count(&j, "n_gpus", known(&u->gpu_utilization.system_gpu_count));
    gput__json_count(&j, "disk_read_bytes", known(&u->machine.disk_read_bytes));
    gput__json_count(&j, "disk_write_bytes", known(&u->machine.disk_write_bytes));
    gput__json_count(&j, "net_received_bytes", known(&u->machine.net_received_bytes));
    gput__json_count(&j, "net_sent_bytes", known(&u->machine.net_sent_bytes));
    gput__json_double(&j, "energy_joules", energy_of(u));
    gput__json_close(&j);
    return keep(&out, true, ret);
}

static int tell_gpus(const struct rows *rows, char **ret)
{
    struct gput__buf out = { 0 };
    struct gput__json j = { .out = &out };

    gput__json_open_list(&j, NULL);
    for (int g = 0; g < rows->usage->gpu.n_gpus; g++) {
        gput__json_open(&j, NULL);
        gput__gpu_json(&j, rows->usage, g);
        write_gpu_series(&j, rows, (uint32_t)g);
        gput__json_close(&j);
    }
    gput__json_close_list(&j);
    return keep(&out, false, ret);
}

static int tell_provenance(const struct gput_usage *u, char **ret)
{
    struct gput__buf out = { 0 };

    (void)gput__provenance_json(u, &out);
    return keep(&out, false, ret);
}

/* Words of the node's file; those of a result are for people. */
static const char *ending_of(enum gput_ending ending)
{
    static const char *const words[] = {
        [GPUT_RUNNING] = "running", [GPUT_EXITED] = "exited",     [GPUT_SIGNALED] = "signaled",
        [GPUT_GONE] = "gone",       [GPUT_DETACHED] = "detached",
    };

    return words[ending];
}

static int fill_texts(const struct gput_tracker *t, const struct gput_usage *u,
                      struct gput__rank_state *ret)
{
    int r;

    ret->text[GPUT__RANK_ENDING] = strdup(ending_of(u->job.ending));
    r = ret->text[GPUT__RANK_ENDING] ? 0 : -ENOMEM;
    if (r == 0)
        r = tell_job(&t->job.fleet->launch, &ret->text[GPUT__RANK_JOB]);
    if (r == 0)
        r = tell_place(t, &ret->text[GPUT__RANK_PLACE]);
    if (r == 0)
        r = tell_clock(&ret->text[GPUT__RANK_CLOCK]);
    if (r == 0)
        r = tell_rest(u, &ret->text[GPUT__RANK_REST], &ret->text[GPUT__RANK_RUN]);
    if (r == 0)
        r = tell_node(t, u, &ret->text[GPUT__RANK_NODE]);
    return r == 0 ? tell_provenance(u, &ret->text[GPUT__RANK_PROVENANCE]) : r;
}

/* --- all of it -------------------------------------------------------------------------------- */

static double largest(const double *values, size_t n)
{
    double most = 0;

    for (size_t i = 0; i < n; i++)
        most = values[i] > most ? values[i] : most;
    return most;
}

static int fill_moments(struct gput_tracker *t, const struct gput_usage *u,
                        struct gput__rank_state *ret)
{
    bool held[GPUT__MOST_GPUS] = { false };
    struct rows rows = { .usage = u, .held = held };
    int r = gput__rows_columns(t, &rows.series, &rows.columns, &rows.n);

    if (r < 0)
        return r == -ENODATA ? 0 : r;
    rows.start_real = ret->number[GPUT__RANK_START];
    rows.offset = ret->number[GPUT__RANK_START_BOOT] - t->job.fleet->gathering.boot;
    for (int g = 0; g < u->gpu.n_gpus && g < GPUT__MOST_GPUS; g++)
        held[g] = why_held(u, g) != NULL;
    r = copy_moments(&rows, &ret->moments);
    if (r == 0)
        r = tell_gpus(&rows, &ret->text[GPUT__RANK_GPUS]);
    if (r == 0)
        ret->number[GPUT__RANK_MAX_PSS] =
            fmax(ret->number[GPUT__RANK_MAX_PSS],
                 largest(ret->moments.value[GPUT__MOMENT_PSS], ret->moments.n));
    free(rows.columns);
    return r;
}

int gput__fleet_state(struct gput_tracker *t, struct gput__rank_state *ret)
{
    struct gput_usage u = { .size = sizeof(u) };
    char *command = NULL;
    int r;

    gput__rank_state_init(ret);
    r = gput_tracker_usage(t, &u);
    if (r < 0)
        return r;
    u.ram_unit = u.gpu_ram_unit = "bytes";
    u.time_unit = "seconds";
    if (u.job.command) /* many people read what lies in the folder of a fleet */
        u.job.command = command = gput__redacted(u.job.command);
    fill_numbers(t, &u, ret);
    r = fill_texts(t, &u, ret);
    if (r == 0)
        r = fill_moments(t, &u, ret);
    free(command);
    return r;
}
