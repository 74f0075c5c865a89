/* servers.c - servers to rent, as a table, as JSON and as a catalogue. */
#include "report/servers.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/dtoa.h"
#include "store/catalogue.h"

#define MIB_PER_GIB 1024

enum { N_COLUMNS = 10, WIDEST = 64 };

static const struct column {
    const char *head;
    bool is_right; /* numbers stand under each other's ends */
} columns[N_COLUMNS] = {
    { "Vendor", false }, { "Type", false },      { "vCPUs", true },   { "Memory", true },
    { "GPUs", true },    { "GPU memory", true }, { "Region", false }, { "USD/hour", true },
    { "Source", false }, { "As of", false },
};

static void put_gib(char *ret, double mib)
{
    snprintf(ret, WIDEST, "%.4g GiB", mib / MIB_PER_GIB);
    if (mib >= 10000.0 * MIB_PER_GIB)
        snprintf(ret, WIDEST, "%.0f GiB", mib / MIB_PER_GIB);
}

static void put_gpus(char *ret, const struct gput_server_offer *o)
{
    if (o->gpus > 0)
        snprintf(ret, WIDEST, "%.4g x %.40s", o->gpus, o->gpu_model);
    else
        snprintf(ret, WIDEST, "-");
}

static void fill_cells(const struct gput_server_offer *o, char cells[N_COLUMNS][WIDEST])
{
    snprintf(cells[0], WIDEST, "%s", o->vendor);
    snprintf(cells[1], WIDEST, "%s", o->type);
    snprintf(cells[2], WIDEST, "%d", o->vcpus);
    put_gib(cells[3], o->memory_mib);
    put_gpus(cells[4], o);
    if (o->gpus > 0)
        put_gib(cells[5], o->vram_mib);
    else
        snprintf(cells[5], WIDEST, "-");
    snprintf(cells[6], WIDEST, "%s", *o->region ? o->region : "-");
    if (isnan(o->usd_hour))
        snprintf(cells[7], WIDEST, "not known");
    else
        snprintf(cells[7], WIDEST, "%.4f", o->usd_hour);
    snprintf(cells[8], WIDEST, "%s", o->source);
    snprintf(cells[9], WIDEST, "%s", *o->as_of ? o->as_of : "-");
}

static void put_cell(struct gput__buf *out, int column, const char *text, int width)
{
    if (column > 0)
        gput__buf_puts(out, "  ");
    if (columns[column].is_right)
        gput__buf_printf(out, "%*s", width, text);
    else if (column == N_COLUMNS - 1)
        gput__buf_puts(out, text);
    else
        gput__buf_printf(out, "%-*s", width, text);
}

void gput__servers_text(const struct gput_server_offer *list, size_t n, struct gput__buf *out)
{
    char cells[N_COLUMNS][WIDEST];
    int widths[N_COLUMNS];

    for (int k = 0; k < N_COLUMNS; k++)
        widths[k] = (int)strlen(columns[k].head);
    for (size_t i = 0; i < n; i++) {
        fill_cells(&list[i], cells);
        for (int k = 0; k < N_COLUMNS; k++)
            if ((int)strlen(cells[k]) > widths[k])
                widths[k] = (int)strlen(cells[k]);
    }
    for (int k = 0; k < N_COLUMNS; k++)
        put_cell(out, k, columns[k].head, widths[k]);
    gput__buf_putc(out, '\n');
    for (size_t i = 0; i < n; i++) {
        fill_cells(&list[i], cells);
        for (int k = 0; k < N_COLUMNS; k++)
            put_cell(out, k, cells[k], widths[k]);
        gput__buf_putc(out, '\n');
    }
}

static void put_text(struct gput__json *j, const char *key, const char *text)
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
    put_text(j, "gpu_model", o->gpu_model);
    gput__json_count(j, "gpu_memory_total", o->vram_mib);
    put_text(j, "region", o->region);
    if (isnan(o->usd_hour))
        gput__json_null(j, "min_price_ondemand");
    else
        gput__json_double(j, "min_price_ondemand", o->usd_hour);
    gput__json_string(j, "source", o->source);
    put_text(j, "as_of", o->as_of);
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
static void put_field(struct gput__buf *out, const char *text)
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

        put_field(out, o->vendor);
        gput__buf_putc(out, ',');
        put_field(out, o->type);
        gput__buf_printf(out, ",%d,%.0f,%.10g,", o->vcpus, o->memory_mib, o->gpus);
        put_field(out, o->gpu_model);
        gput__buf_printf(out, ",%.0f,", o->vram_mib);
        put_field(out, o->region);
        gput__buf_putc(out, ',');
        if (!isnan(o->usd_hour))
            gput__buf_printf(out, "%.10g", o->usd_hour);
        gput__buf_putc(out, ',');
        put_field(out, o->source);
        gput__buf_putc(out, ',');
        put_field(out, o->as_of);
        gput__buf_putc(out, '\n');
    }
}
