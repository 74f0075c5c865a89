/* cells.c - a rank as a cell of the grid. */
#include "top/fleet/cells.h"

#include "terminal/amounts.h"
#include "top/fleet/ranks.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* In the order of enum gput_rank_state. */
static const char letters[] = "-F?RE";

int top_cell_width(const struct top_cells *c)
{
    return c->is_map ? 1 : c->has_gpu ? 38 : 32;
}

int top_cells_across(const struct top_cells *c, int width)
{
    int gap = c->is_map ? 0 : TOP_CELL_GAP, n = (width + gap) / (top_cell_width(c) + gap);

    return n < 1 ? 1 : n;
}

static void join(const struct top_cells *c, const char *const texts[6], char ret[TOP_CELL_SIZE])
{
    int n = snprintf(ret, TOP_CELL_SIZE, "%6.6s %1.1s %8.8s %5.5s", texts[0], texts[1], texts[2],
                     texts[3]);

    if (c->has_gpu)
        n += snprintf(ret + n, TOP_CELL_SIZE - (size_t)n, " %5.5s", texts[4]);
    snprintf(ret + n, TOP_CELL_SIZE - (size_t)n, " %8.8s", texts[5]);
}

void top_cell_head(const struct top_cells *c, char ret[TOP_CELL_SIZE])
{
    static const char *const heads[] = { "RANK", "S", "MEMORY", "CPU %", "GPU %", "TIME" };

    ret[0] = '\0';
    if (!c->is_map)
        join(c, heads, ret);
}

/* What is not known is blank: the state says why. */
static const char *percent(double value, char ret[AMOUNT_SIZE])
{
    ret[0] = '\0';
    if (!isnan(value))
        snprintf(ret, AMOUNT_SIZE, "%.0f", value);
    return ret;
}

static void write_level(const struct top_cells *c, const struct gput_fleet_rank *r,
                        char ret[TOP_CELL_SIZE])
{
    static const char *const levels[] = { "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█" };
    enum { N = sizeof(levels) / sizeof(*levels) };
    double value = c->value(r), share = c->full > 0 ? value / c->full : NAN;
    int n = c->has_utf8 ? N : 10, level;

    if (r->state < GPUT_RANK_RUNNING || !(share >= 0)) {
        snprintf(ret, TOP_CELL_SIZE, "%c", letters[r->state]);
        return;
    }
    level = share >= 1 ? n - 1 : (int)(share * n);
    if (c->has_utf8)
        snprintf(ret, TOP_CELL_SIZE, "%s", levels[level]);
    else
        snprintf(ret, TOP_CELL_SIZE, "%d", level);
}

void top_cell_write(const struct top_cells *c, const struct gput_fleet_rank *r,
                    char ret[TOP_CELL_SIZE])
{
    char rank[16] = "", memory[AMOUNT_SIZE] = "", cpu[AMOUNT_SIZE], gpu[AMOUNT_SIZE];
    char time[AMOUNT_SIZE] = "", state[2] = { letters[r->state], '\0' };
    const char *const texts[] = { rank, state, memory, cpu, gpu, time };

    if (c->is_map) {
        write_level(c, r, ret);
        return;
    }
    if (r->rank >= 0)
        snprintf(rank, sizeof(rank), "%d", r->rank);
    if (!isnan(r->ram_peak))
        amount_bytes(r->ram_peak, memory);
    if (!isnan(r->elapsed))
        amount_clock(r->elapsed, time);
    percent(r->cpu_percent, cpu);
    percent(r->gpu_percent, gpu);
    join(c, texts, ret);
}

/* --- all of one -------------------------------------------------------------------------------- */

static void write_latest(const struct gput_fleet_rank *r, FILE *out)
{
    char text[AMOUNT_SIZE];

    if (!isnan(r->ram_latest))
        fprintf(out, ", memory %s", amount_bytes(r->ram_latest, text));
    if (!isnan(r->cpu_latest))
        fprintf(out, ", CPU %.0f %%", r->cpu_latest);
    fprintf(out, " %s ago", amount_span(r->age, text));
}

void top_cell_words(const struct gput_fleet_rank *r, char *ret, int size)
{
    FILE *out = fmemopen(ret, (size_t)size, "w");
    char text[AMOUNT_SIZE];

    ret[0] = '\0';
    if (!out)
        return;
    if (r->rank >= 0)
        fprintf(out, "rank %d", r->rank);
    fprintf(out, "%s%s: %s", r->node[0] ? " on " : "", r->node, top_rank_state(r));
    if (r->failure[0])
        fprintf(out, ", %s", r->failure);
    if (r->state == GPUT_RANK_RUNNING || r->state == GPUT_RANK_SILENT)
        write_latest(r, out);
    if (!isnan(r->gpu_ram_peak) && r->gpu_ram_peak > 0)
        fprintf(out, ", GPU memory at most %s", amount_bytes(r->gpu_ram_peak, text));
    if (r->apart[0])
        fprintf(out, "; apart by %s", r->apart);
    fclose(out);
    ret[size - 1] = '\0';
}
