/* servers.c - the cheapest servers that fit, out of a catalogue. */
#include "servers/servers.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "servers/server_kind.h"

/* Whether a text is one of a list with commas between. */
static bool is_listed(const char *text, const char *list)
{
    size_t len = strlen(text);

    for (;; list++) {
        size_t n = strcspn(list, ",");

        if (n == len && strncasecmp(list, text, n) == 0)
            return true;
        list += n;
        if (!*list)
            return false;
    }
}

bool gput__server_passes(const struct gput_server_offer *o, const struct gput_server_filters *f)
{
    struct gput__server_kind kind = gput__server_kind(o->vendor, o->type);

    return (!f->vendor || is_listed(o->vendor, f->vendor)) &&
           (!f->region || is_listed(o->region, f->region)) &&
           (!f->gpu_model || (o->gpus > 0 && is_listed(o->gpu_model, f->gpu_model))) &&
           (!f->gpu_brand || o->gpus <= 0 ||
            strcasecmp(gput__gpu_brand(o->gpu_model), f->gpu_brand) == 0) &&
           (!f->arch || !kind.arch || strcmp(kind.arch, f->arch) == 0) &&
           (!kind.is_burstable || (f->flags & GPUT_SERVERS_BURSTABLE));
}

/* A part of a GPU is seen as one device. */
static double vram_of_each(const struct gput_server_offer *o)
{
    return o->gpus > 0 ? o->vram_mib / ceil(o->gpus) : 0;
}

bool gput__server_fits(const struct gput_server_offer *o, const struct gput_server_needs *needs)
{
    double gpus = needs->gpus > 0 || needs->vram_mib <= 0 ? needs->gpus : 1;

    return o->vcpus >= needs->vcpus && o->memory_mib >= needs->memory_mib && o->gpus >= gpus &&
           o->vram_mib >= needs->vram_mib &&
           (needs->vram_mib <= 0 || vram_of_each(o) >= needs->vram_mib / ceil(gpus));
}

static bool costs_too_much(const struct gput_server_offer *o, const struct gput_server_filters *f)
{
    return isnan(o->usd_hour) ? !(f->flags & GPUT_SERVERS_UNPRICED)
                              : f->max_usd_hour > 0 && o->usd_hour > f->max_usd_hour;
}

static int by_price(const void *a, const void *b)
{
    const struct gput_server_offer *x = a, *y = b;
    int r;

    if (isnan(x->usd_hour) != isnan(y->usd_hour))
        return isnan(x->usd_hour) ? 1 : -1;
    if (x->usd_hour < y->usd_hour || x->usd_hour > y->usd_hour)
        return x->usd_hour < y->usd_hour ? -1 : 1;
    r = strcmp(x->type, y->type);
    if (r == 0)
        r = strcmp(x->vendor, y->vendor);
    return r ? r : strcmp(x->region, y->region);
}

static int by_type(const void *a, const void *b)
{
    const struct gput_server_offer *x = a, *y = b;
    int r = strcmp(x->vendor, y->vendor);

    if (r == 0)
        r = strcmp(x->type, y->type);
    return r ? r : by_price(a, b);
}

/* Leaves each type its cheapest region. */
static size_t cheapest_regions(struct gput_server_offer *list, size_t n)
{
    size_t kept = 0;

    qsort(list, n, sizeof(*list), by_type);
    for (size_t i = 0; i < n; i++)
        if (kept == 0 || strcmp(list[kept - 1].vendor, list[i].vendor) != 0 ||
            strcmp(list[kept - 1].type, list[i].type) != 0)
            list[kept++] = list[i];
    return kept;
}

int gput__servers_find(const struct gput_catalogue *c, const struct gput_server_needs *needs,
                       const struct gput_server_filters *filters, struct gput_server_offer *ret,
                       size_t n, size_t *ret_total, struct gput_error *err)
{
    struct gput_server_offer *list = calloc(c->n ? c->n : 1, sizeof(*list));
    size_t found = 0;

    if (!list) {
        *err = (struct gput_error){ .text = "out of memory" };
        return -ENOMEM;
    }
    for (size_t i = 0; i < c->n; i++)
        if (gput__server_passes(&c->list[i], filters) && gput__server_fits(&c->list[i], needs) &&
            !costs_too_much(&c->list[i], filters))
            list[found++] = c->list[i];
    if (found > 0 && !(filters->flags & GPUT_SERVERS_EVERY_REGION))
        found = cheapest_regions(list, found);
    qsort(list, found, sizeof(*list), by_price);
    n = n < found ? n : found;
    if (n > 0)
        memcpy(ret, list, n * sizeof(*ret));
    free(list);
    if (found == 0) {
        gput__servers_unmet(c, needs, filters, err);
        return -ENODATA;
    }
    *ret_total = found;
    return (int)n;
}

int gput__servers_price(const struct gput_catalogue *c, const char *vendor, const char *type,
                        const char *region, struct gput_server_offer *ret)
{
    const struct gput_server_offer *best = NULL;

    for (size_t i = 0; i < c->n; i++) {
        const struct gput_server_offer *o = &c->list[i];

        if (isnan(o->usd_hour) || strcmp(o->vendor, vendor) != 0 || strcmp(o->type, type) != 0)
            continue;
        if (region && strcmp(o->region, region) == 0) {
            *ret = *o;
            return 0;
        }
        if (!best || by_price(o, best) < 0)
            best = o;
    }
    if (!best)
        return -ENODATA;
    *ret = *best;
    return 0;
}
