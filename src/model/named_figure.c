/* named_figure.c - the figures of a run that people ask for by name. */
#include "model/named_figure.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "model/figure.h"
#include "model/usage_rows.h"

#define MB 1e6

/* Tolerances are what equal runs differ by on a machine with other work: memory that is read at polls,
 * CPU time that caches and neighbours change, processes that come and go between polls. */
/* clang-format off */
const struct gput__named_figure gput__named_figures[GPUT__N_NAMED_FIGURES] = {
    [GPUT__NAMED_RAM] = { "ram", "Peak memory", GPUT__IN_BYTES, GPUT__WISH_LESS, 0.05, 0.02, 1 * MB },
    [GPUT__NAMED_MAIN_PROCESS_RAM] = { "main_ram", "Peak memory of main", GPUT__IN_BYTES, GPUT__WISH_LESS, 0.05, 0.02, 1 * MB },
    [GPUT__NAMED_GPU_RAM] = { "gpu_ram", "Peak GPU memory", GPUT__IN_BYTES, GPUT__WISH_LESS, 0.05, 0.02, 4 * MB },
    [GPUT__NAMED_CPU_TIME] = { "cpu", "CPU time", GPUT__IN_SECONDS, GPUT__WISH_LESS, 0.15, 0.05, 0.02 },
    [GPUT__NAMED_WALL_TIME] = { "time", "Wall time", GPUT__IN_SECONDS, GPUT__WISH_NONE, 0.25, 0.10, 0.05 },
    [GPUT__NAMED_PROCESSES] = { "processes", "Processes at a time", GPUT__IN_NUMBERS, GPUT__WISH_LESS, 0.20, 0.10, 1 },
    [GPUT__NAMED_THREADS] = { "threads", "Threads at a time", GPUT__IN_NUMBERS, GPUT__WISH_LESS, 0.20, 0.10, 1 },
    [GPUT__NAMED_DISK_READ] = { "disk_read", "Read from disk", GPUT__IN_BYTES, GPUT__WISH_NONE, 0.25, 0.10, 1 * MB },
    [GPUT__NAMED_DISK_WRITE] = { "disk_write", "Written to disk", GPUT__IN_BYTES, GPUT__WISH_LESS, 0.25, 0.10, 1 * MB },
    [GPUT__NAMED_ENERGY] = { "energy", "Energy of the GPUs", GPUT__IN_JOULES, GPUT__WISH_LESS, 0.15, 0.05, 10 },
    [GPUT__NAMED_LEFTOVER] = { "leftover", "Left running", GPUT__IN_NUMBERS, GPUT__WISH_LESS, 0, 0, 0 },
    [GPUT__NAMED_GPU_UTIL] = { "gpu_util", "GPU utilization", GPUT__IN_PERCENT, GPUT__WISH_MORE, 0.15, 0.05, 2 },
};
/* clang-format on */

int gput__named_figure_find(const char *name)
{
    for (int i = 0; i < GPUT__N_NAMED_FIGURES; i++)
        if (strcmp(gput__named_figures[i].name, name) == 0)
            return i;
    return -1;
}

static struct gput_figure unknown(const char *why)
{
    return (struct gput_figure){ 0, GPUT_UNAVAILABLE, why };
}

/* Of main and descendants; of a file that has not told them, of the mean. */
static struct gput_figure cpu_time(const struct gput_usage *u)
{
    struct gput_figure main = u->totals.main_cpu_seconds, sum = main;
    struct gput_figure others = u->totals.descendants_cpu_seconds;
    struct gput_figure mean = u->cpu_utilization.combined.mean_sum_percent;

    if (gput__figure_is_known(main) && gput__figure_is_known(others)) {
        sum.value += others.value;
        if (others.source < sum.source) {
            sum.source = others.source;
            sum.why = others.why;
        }
        return sum;
    }
    if (!gput__figure_is_known(mean) || !gput__figure_is_known(u->compute_time.time))
        return mean;
    mean.value *= u->compute_time.time.value / 100;
    return mean;
}

static struct gput_figure gpu_energy(const struct gput_usage *u)
{
    struct gput_figure sum = unknown("no GPU tells its energy (--full asks for it)");

    for (int i = 0; i < u->gpu.n_gpus; i++) {
        struct gput_figure energy = u->gpu.gpus[i].energy;

        if (!gput__figure_is_known(energy))
            continue;
        energy.value += sum.value;
        if (sum.source == GPUT_SAMPLED)
            energy.source = GPUT_SAMPLED;
        sum = energy;
    }
    return sum;
}

static struct gput_figure leftover(const struct gput_usage *u)
{
    /* Only a run that was seen to its end knows, or to where it was left: see usage_rows.c. */
    if (u->job.ending == GPUT_EXITED || u->job.ending == GPUT_SIGNALED ||
        u->job.ending == GPUT_DETACHED)
        return (struct gput_figure){ u->job.n_left, GPUT_EXACT, NULL };
    return unknown("it is not known how the run ended");
}

struct gput_figure gput__named_figure_of(const struct gput_usage *u, int i)
{
    switch (i) {
    case GPUT__NAMED_RAM:
        return u->max_ram.combined.total_rss;
    case GPUT__NAMED_MAIN_PROCESS_RAM:
        return u->max_ram.main.total_rss;
    case GPUT__NAMED_GPU_RAM:
        return u->max_gpu_ram.combined;
    case GPUT__NAMED_CPU_TIME:
        return cpu_time(u);
    case GPUT__NAMED_WALL_TIME:
        return u->compute_time.time;
    case GPUT__NAMED_PROCESSES:
        return u->totals.max_n_processes;
    case GPUT__NAMED_THREADS:
        return u->cpu_utilization.combined_n_threads;
    case GPUT__NAMED_DISK_READ:
        return u->totals.disk_read_bytes;
    case GPUT__NAMED_DISK_WRITE:
        return u->totals.disk_write_bytes;
    case GPUT__NAMED_ENERGY:
        return gpu_energy(u);
    case GPUT__NAMED_LEFTOVER:
        return leftover(u);
    case GPUT__NAMED_GPU_UTIL:
        return u->gpu_utilization.gpu_percentages.mean_sum_percent;
    default:
        return unknown("there is no such figure");
    }
}

static bool ends_in(const char *text, const char *end)
{
    size_t n = strlen(text), k = strlen(end);

    return n >= k && strcmp(text + n - k, end) == 0;
}

static enum gput__figure_unit unit_of(const struct gput__row *row)
{
    if (row->kind == GPUT__ROW_RAM || row->kind == GPUT__ROW_GPU_RAM || strstr(row->key, "bytes"))
        return GPUT__IN_BYTES;
    if (row->kind == GPUT__ROW_TIME || ends_in(row->key, "_seconds"))
        return GPUT__IN_SECONDS;
    if (ends_in(row->key, "_joules"))
        return GPUT__IN_JOULES;
    return ends_in(row->key, "_percent") ? GPUT__IN_PERCENT : GPUT__IN_NUMBERS;
}

/* Walks one of the two lists; `at` is the path so far, of `depth` open groups. */
static const struct gput__row *find_row(struct gput__rows rows, const char *path)
{
    size_t end[5] = { 0 };
    char at[256] = "";
    unsigned depth = 0;

    for (size_t i = 0; i < rows.n; i++) {
        const struct gput__row *row = &rows.row[i];

        if (row->kind == GPUT__ROW_CLOSE) {
            depth--;
            continue;
        }
        snprintf(at + end[depth], sizeof(at) - end[depth], "%s%s", end[depth] ? "." : "", row->key);
        if (row->kind == GPUT__ROW_OPEN)
            end[++depth] = strlen(at);
        else if (gput__row_is_figure(row) && strcmp(at, path) == 0)
            return row; /* cppcheck-suppress returnDanglingLifetime; rows point to tables */
    }
    return NULL;
}

int gput__figure_at_path(const struct gput_usage *u, const char *path, struct gput_figure *ret,
                         enum gput__figure_unit *ret_unit)
{
    for (int which = GPUT__DEFAULT_ROWS; which <= GPUT__FULL_ROWS; which++) {
        struct gput__row room[GPUT__MOST_ROWS];
        const struct gput__row *row =
            find_row(gput__usage_rows((enum gput__rows_of)which, room), path);

        if (!row)
            continue;
        memcpy(ret, (const char *)u + row->offset, sizeof(*ret));
        *ret_unit = unit_of(row);
        return 0;
    }
    return -ENOENT;
}

const char *gput__figure_unit_name(enum gput__figure_unit unit)
{
    static const char *const names[] = {
        [GPUT__IN_BYTES] = "bytes",    [GPUT__IN_SECONDS] = "seconds",
        [GPUT__IN_JOULES] = "joules",  [GPUT__IN_PERCENT] = "percent",
        [GPUT__IN_NUMBERS] = "number",
    };

    return names[unit];
}
