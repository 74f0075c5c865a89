/* servers_table.c - servers to rent, as a table, as JSON and as a catalogue. */
#include "servers/servers_table.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text/dtoa.h"
#include "base/text/print.h"
#include "servers/catalogue.h"

#define MIB_PER_GIB 1024

enum column {
    VENDOR,
    TYPE,
    VCPUS,
    MEMORY,
    GPUS,
    VRAM,
    REGION,
    USD_HOUR,
    RUN_USD,
    SAVING,
    SOURCE,
    AS_OF,
    N_COLUMNS
};

enum { WIDEST = 64 };

typedef char cells[N_COLUMNS][WIDEST];

static const struct {
    const char *head;
    bool is_right; /* numbers stand under each other's ends */
} columns[N_COLUMNS] = {
    [VENDOR] = { "Vendor", false },  [TYPE] = { "Type", false },
    [VCPUS] = { "vCPUs", true },     [MEMORY] = { "Memory", true },
    [GPUS] = { "GPUs", true },       [VRAM] = { "GPU memory", true },
    [REGION] = { "Region", false },  [USD_HOUR] = { "USD/hour", true },
    [RUN_USD] = { "USD/run", true }, [SAVING] = { "Saving", true },
    [SOURCE] = { "Source", false },  [AS_OF] = { "As of", false },
};

static void write_gib(char *ret, double mib)
{
    if (mib >= 1000.0 * MIB_PER_GIB)
        gput__snprintf(ret, WIDEST, "%.0f GiB", mib / MIB_PER_GIB);
    else
        gput__snprintf(ret, WIDEST, "%.4g GiB", mib / MIB_PER_GIB);
}

static void fill_offer(const struct gput_server_offer *o, cells ret)
{
    snprintf(ret[VENDOR], WIDEST, "%s", o->vendor);
    snprintf(ret[TYPE], WIDEST, "%s", o->type);
    snprintf(ret[VCPUS], WIDEST, "%d", o->vcpus);
    write_gib(ret[MEMORY], o->memory_mib);
    snprintf(ret[GPUS], WIDEST, "-");
    snprintf(ret[VRAM], WIDEST, "-");
    if (o->gpus > 0) {
        gput__snprintf(ret[GPUS], WIDEST, "%.4g x %.40s", o->gpus, o->gpu_model);
        write_gib(ret[VRAM], o->vram_mib);
    }
    snprintf(ret[REGION], WIDEST, "%s", *o->region ? o->region : "-");
    if (isnan(o->usd_hour))
        snprintf(ret[USD_HOUR], WIDEST, "not known");
    else
        gput__snprintf(ret[USD_HOUR], WIDEST, "%.4f", o->usd_hour);
    snprintf(ret[SOURCE], WIDEST, "%s", o->source);
    snprintf(ret[AS_OF], WIDEST, "%s", *o->as_of ? o->as_of : "-");
}

/* Columns that nobody has anything in stay empty, and are left out. */
static void fill_cells(const struct gput_server_offer *o, const struct gput__server_cost *cost,
                       cells ret)
{
    fill_offer(o, ret);
    ret[RUN_USD][0] = ret[SAVING][0] = '\0';
    if (cost && !isnan(cost->run_usd))
        gput__snprintf(ret[RUN_USD], WIDEST, "%.*f", cost->run_usd < 0.01 ? 6 : 4, cost->run_usd);
    if (cost && !isnan(cost->saving_percent))
        gput__snprintf(ret[SAVING], WIDEST, "%.0f %%", cost->saving_percent);
}

static void write_row(struct gput__buf *out, const cells row, const int *widths)
{
    for (int k = 0; k < N_COLUMNS; k++) {
        if (widths[k] == 0)
            continue;
        gput__buf_puts(out, k > 0 ? "  " : "");
        if (columns[k].is_right)
            gput__buf_printf(out, "%*s", widths[k], row[k]);
        else if (k == N_COLUMNS - 1)
            gput__buf_puts(out, row[k]);
        else
            gput__buf_printf(out, "%-*s", widths[k], row[k]);
    }
    gput__buf_putc(out, '\n');
}

static int sum_of(const int *widths)
{
    int sum = 0;

    for (int k = 0; k < N_COLUMNS; k++)
        sum += widths[k] > 0 ? widths[k] + (sum > 0 ? 2 : 0) : 0;
    return sum;
}

void gput__servers_text(const struct gput_server_offer *list, size_t n,
                        const struct gput__server_cost *costs, int width, struct gput__buf *out)
{
    int widths[N_COLUMNS] = { 0 };
    cells row;

    for (size_t i = 0; i < n; i++) {
        fill_cells(&list[i], costs ? &costs[i] : NULL, row);
        for (int k = 0; k < N_COLUMNS; k++)
            if ((int)strlen(row[k]) > widths[k])
                widths[k] = (int)strlen(row[k]);
    }
    for (int k = 0; k < N_COLUMNS; k++) {
        snprintf(row[k], WIDEST, "%s", columns[k].head);
        if (widths[k] > 0 && (int)strlen(row[k]) > widths[k])
            widths[k] = (int)strlen(row[k]);
    }
    if (width > 0 && sum_of(widths) > width) {
        gput__servers_list(list, n, costs, out);
        return;
    }
    write_row(out, (const char(*)[WIDEST])row, widths);
    for (size_t i = 0; i < n; i++) {
        fill_cells(&list[i], costs ? &costs[i] : NULL, row);
        write_row(out, (const char(*)[WIDEST])row, widths);
    }
}

static void write_text(struct gput__json *j, const char *key, const char *text)
{
    gput__json_string(j, key, *text ? text : NULL);
}

void gput__server_members(const struct gput_server_offer *o, struct gput__json *j)
{
    gput__json_string(j, "vendor_id", o->vendor);
    gput__json_string(j, "api_reference", o->type);
    gput__json_count(j, "vcpus", o->vcpus);
    gput__json_count(j, "memory_amount", o->memory_mib);
    gput__json_double(j, "gpu_count", o->gpus);
    write_text(j, "gpu_model", o->gpu_model);
    gput__json_count(j, "gpu_memory_total", o->vram_mib);
    write_text(j, "region", o->region);
    gput__json_double(j, "min_price_ondemand", o->usd_hour);
    gput__json_string(j, "source", o->source);
    write_text(j, "as_of", o->as_of);
}

void gput__servers_json(const struct gput_server_offer *list, size_t n, struct gput__buf *out)
{
    struct gput__json j = { .out = out };

    gput__json_open_list(&j, NULL);
    for (size_t i = 0; i < n; i++) {
        gput__json_open(&j, NULL);
        gput__server_members(&list[i], &j);
        gput__json_close(&j);
    }
    gput__json_close_list(&j);
}

/* A field as the catalogue's reader takes it. */
static void write_field(struct gput__buf *out, const char *text)
{
    if (!strpbrk(text, ",\"")) {
        gput__buf_puts(out, text);
        return;
    }
    gput__buf_putc(out, '"');
    for (; *text; text++)
        gput__buf_printf(out, *text == '"' ? "\"\"" : "%c", *text);
    gput__buf_putc(out, '"');
}

void gput__servers_csv(const struct gput_server_offer *list, size_t n, struct gput__buf *out)
{
    gput__buf_puts(out, GPUT__CATALOGUE_HEADER "\n");
    for (size_t i = 0; i < n; i++) {
        const struct gput_server_offer *o = &list[i];

        write_field(out, o->vendor);
        gput__buf_putc(out, ',');
        write_field(out, o->type);
        gput__buf_printf(out, ",%d,%.0f,%.10g,", o->vcpus, o->memory_mib, o->gpus);
        write_field(out, o->gpu_model);
        gput__buf_printf(out, ",%.0f,", o->vram_mib);
        write_field(out, o->region);
        gput__buf_putc(out, ',');
        if (!isnan(o->usd_hour))
            gput__buf_printf(out, "%.10g", o->usd_hour);
        gput__buf_putc(out, ',');
        write_field(out, o->source);
        gput__buf_putc(out, ',');
        write_field(out, o->as_of);
        gput__buf_putc(out, '\n');
    }
}
