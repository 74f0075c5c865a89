/* servers_list.c - servers to rent, two lines for each: for terminals that a table does not fit in. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "servers/servers_table.h"

#define MIB_PER_GIB 1024

/* Sources are long and few: each stands once below the list, with a number. */
enum { MOST_NOTES = 20 };
struct notes {
    const struct gput_server_offer *of[MOST_NOTES];
    int n;
};

/* The number of its source and day, from 1 on; 0: there are too many. */
static int note_of(struct notes *notes, const struct gput_server_offer *o)
{
    for (int i = 0; i < notes->n; i++)
        if (!strcmp(notes->of[i]->source, o->source) && !strcmp(notes->of[i]->as_of, o->as_of))
            return i + 1;
    if (notes->n == MOST_NOTES)
        return 0;
    notes->of[notes->n++] = o;
    return notes->n;
}

static void write_source(const struct gput_server_offer *o, struct gput__buf *out)
{
    gput__buf_printf(out, "%s%s%s", o->source, *o->as_of ? ", " : "", o->as_of);
}

static void write_notes(const struct notes *notes, struct gput__buf *out)
{
    gput__buf_putc(out, '\n');
    for (int i = 0; i < notes->n; i++) {
        gput__buf_printf(out, "[%d] ", i + 1);
        write_source(notes->of[i], out);
        gput__buf_putc(out, '\n');
    }
}

/* "g5.xlarge (aws, us-east-1): 4 vCPUs, 16 GiB, 1 x A10G with 24 GiB" */
static void write_server(const struct gput_server_offer *o, struct gput__buf *out)
{
    gput__buf_printf(out, "%s (%s%s%s): ", o->type, o->vendor, *o->region ? ", " : "", o->region);
    gput__buf_printf(out, "%d vCPU%s, %.4g GiB", o->vcpus, o->vcpus == 1 ? "" : "s",
                     o->memory_mib / MIB_PER_GIB);
    if (o->gpus > 0)
        gput__buf_printf(out, ", %.4g x %s with %.4g GiB", o->gpus, o->gpu_model,
                         o->vram_mib / MIB_PER_GIB);
    gput__buf_putc(out, '\n');
}

/* "   1.0060 USD/hour [1], 0.2515 USD/run, saves 75 %" */
static void write_price(const struct gput_server_offer *o, const struct gput__server_cost *cost,
                        struct notes *notes, struct gput__buf *out)
{
    int note = note_of(notes, o);

    if (isnan(o->usd_hour))
        gput__buf_puts(out, "   price not known [");
    else
        gput__buf_printf(out, "   %.4f USD/hour [", o->usd_hour);
    if (note > 0)
        gput__buf_printf(out, "%d", note);
    else
        write_source(o, out);
    gput__buf_putc(out, ']');
    if (cost && !isnan(cost->run_usd))
        gput__buf_printf(out, ", %.*f USD/run", cost->run_usd < 0.01 ? 6 : 4, cost->run_usd);
    if (cost && !isnan(cost->saving_percent))
        gput__buf_printf(out, ", saves %.0f %%", cost->saving_percent);
    gput__buf_putc(out, '\n');
}

void gput__servers_list(const struct gput_server_offer *list, size_t n,
                        const struct gput__server_cost *costs, struct gput__buf *out)
{
    struct notes notes = { .n = 0 };

    for (size_t i = 0; i < n; i++) {
        write_server(&list[i], out);
        write_price(&list[i], costs ? &costs[i] : NULL, &notes, out);
    }
    write_notes(&notes, out);
}
