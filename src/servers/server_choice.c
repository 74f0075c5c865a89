/* server_choice.c - the servers that a run could have next time, as text and JSON. */
#include "servers/server_choice.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/recommend.h"
#include "report/text/screen_text.h"

#define SECONDS_PER_HOUR 3600
#define LONGEST_NAME 80 /* columns */

struct gput__server_cost gput__server_cost(const struct gput__server_choice *c,
                                           const struct gput_server_offer *o)
{
    double hours = c->seconds / SECONDS_PER_HOUR;
    double now = c->current.type ? c->current.usd_hour : NAN;

    return (struct gput__server_cost){
        .run_usd = o->usd_hour * hours,
        .saving_usd = (now - o->usd_hour) * hours,
        .saving_percent = 100 * (now - o->usd_hour) / now,
    };
}

static void write_needs(const struct gput__server_choice *c, struct gput__buf *out)
{
    gput__buf_printf(out, "Needed: %.10g vCPU%s%s%s, ", c->needs.vcpus,
                     c->needs.vcpus == 1 ? "" : "s", c->arch ? " of " : "", c->arch ? c->arch : "");
    gput__write_mib(out, (uint64_t)c->needs.memory_mib);
    gput__buf_puts(out, " of memory");
    if (c->needs.gpus > 0) {
        gput__buf_printf(out, ", %.10g GPU%s", c->needs.gpus, c->needs.gpus == 1 ? "" : "s");
        if (c->needs.vram_mib > 0) {
            gput__buf_puts(out, " with ");
            gput__write_mib(out, (uint64_t)c->needs.vram_mib);
            gput__buf_puts(out, c->needs.gpus == 1 ? "" : " in all");
        }
    }
    if (!isnan(c->seconds)) {
        gput__buf_puts(out, c->n_runs > 1 ? "; the longest run took " : "; the run took ");
        gput__write_duration(out, c->seconds);
    }
    gput__buf_puts(out, "\n");
}

/* Names from the file of a run: what could steer a terminal is shown, not sent. */
static void write_foreign(struct gput__buf *out, const char *name)
{
    gput__screen_text(out, name, LONGEST_NAME, true);
}

static void write_current(const struct gput__server_choice *c, struct gput__buf *out)
{
    const struct gput_server_offer *now = &c->current;

    if (!now->type)
        return;
    gput__buf_puts(out, "It ran on: ");
    write_foreign(out, now->vendor);
    gput__buf_putc(out, ' ');
    write_foreign(out, now->type);
    if (c->current_region) {
        gput__buf_puts(out, " in ");
        write_foreign(out, c->current_region);
    }
    gput__buf_puts(out, ", ");
    if (isnan(now->usd_hour)) {
        gput__buf_puts(out, "whose price is not known\n");
        return;
    }
    gput__buf_printf(out, "%.4f USD/hour", now->usd_hour);
    if (!isnan(c->seconds))
        gput__buf_printf(out, ", %.*f USD/run", gput__server_cost(c, now).run_usd < 0.01 ? 6 : 4,
                         gput__server_cost(c, now).run_usd);
    if (*now->region && (!c->current_region || strcmp(c->current_region, now->region) != 0))
        gput__buf_printf(out, "; the price is that of %s", now->region);
    gput__buf_printf(out, " (%s, %s)\n", now->source, now->as_of);
}

static void write_table(const struct gput__server_choice *c, const struct gput_server_offer *list,
                        size_t n, struct gput__buf *out)
{
    struct gput__server_cost *costs = calloc(n ? n : 1, sizeof(*costs));

    if (!costs) {
        out->err = -ENOMEM;
        return;
    }
    for (size_t i = 0; i < n; i++)
        costs[i] = gput__server_cost(c, &list[i]);
    gput__servers_text(list, n, costs, c->width, out);
    free(costs);
}

/* Prices that may no longer hold are told in a line, unless there are no others. */
void gput__server_choice_text(const struct gput__server_choice *c, struct gput__buf *out)
{
    write_needs(c, out);
    write_current(c, out);
    gput__buf_puts(out, c->n > 0 ? "\n" : "\nAll that fit have prices older than a year:\n\n");
    write_table(c, c->n > 0 ? c->list : c->old, c->n > 0 ? c->n : c->n_old, out);
    gput__buf_putc(out, '\n');
    if (c->n > 0 && c->n_old > 0)
        gput__buf_printf(out,
                         "%zu that fit have prices older than a year;\n"
                         "the cheapest is %s %s at %.4f USD/hour (%s)\n",
                         c->total_old, c->old->vendor, c->old->type, c->old->usd_hour,
                         c->old->as_of);
    gput__buf_printf(out, "%zu of %zu that fit, from %s; prices are for Linux, on demand\n",
                     c->n > 0 ? c->n : c->n_old, c->total, c->origin);
}

static void write_server(struct gput__json *j, const struct gput__server_choice *c,
                         const struct gput_server_offer *o)
{
    struct gput__server_cost cost = gput__server_cost(c, o);

    gput__json_open(j, NULL);
    gput__server_members(o, j);
    gput__json_double(j, "run_price", cost.run_usd);
    gput__json_double(j, "saving_per_run", cost.saving_usd);
    gput__json_double(j, "saving_percent", cost.saving_percent);
    gput__json_close(j);
}

static void write_servers(struct gput__json *j, const struct gput__server_choice *c,
                          const char *key, const struct gput_server_offer *list, size_t n)
{
    gput__json_open_list(j, key);
    for (size_t i = 0; i < n; i++)
        write_server(j, c, &list[i]);
    gput__json_close_list(j);
}

static void write_current_json(struct gput__json *j, const struct gput__server_choice *c)
{
    const struct gput_server_offer *now = &c->current;

    if (!now->type) {
        gput__json_null(j, "current");
        return;
    }
    gput__json_open(j, "current");
    gput__json_string(j, "vendor_id", now->vendor);
    gput__json_string(j, "api_reference", now->type);
    gput__json_string(j, "region", c->current_region);
    gput__json_double(j, "price", now->usd_hour);
    gput__json_double(j, "run_price", gput__server_cost(c, now).run_usd);
    gput__json_string(j, "price_region", *now->region ? now->region : NULL);
    gput__json_string(j, "source", isnan(now->usd_hour) ? NULL : now->source);
    gput__json_string(j, "as_of", isnan(now->usd_hour) ? NULL : now->as_of);
    gput__json_close(j);
}

void gput__server_choice_json(const struct gput__server_choice *c, struct gput__buf *out)
{
    struct gput__json j = { .out = out };

    gput__json_open(&j, NULL);
    gput__json_open(&j, "needed");
    gput__json_count(&j, "cpu", c->needs.vcpus);
    gput__json_count(&j, "memory", c->needs.memory_mib);
    gput__json_count(&j, "gpu", c->needs.gpus);
    gput__json_count(&j, "vram", c->needs.vram_mib);
    gput__json_string(&j, "arch", c->arch);
    gput__json_double(&j, "duration", c->seconds);
    gput__json_close(&j);
    write_current_json(&j, c);
    if (c->n > 0)
        write_servers(&j, c, "servers", c->list, c->n);
    else
        write_servers(&j, c, "servers", c->old, c->n_old);
    write_servers(&j, c, "older_than_a_year", c->old, c->n_old);
    gput__json_count(&j, "n_fitting", (double)c->total);
    gput__json_count(&j, "n_older_than_a_year", (double)c->total_old);
    gput__json_string(&j, "catalogue", c->origin);
    gput__json_close(&j);
}
