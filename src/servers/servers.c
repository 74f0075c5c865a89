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

struct fitting {
    struct gput_server_offer offer;
    bool is_old;
};

/* Newer prices first. */
static int by_age(const void *a, const void *b)
{
    const struct fitting *x = a, *y = b;

    return x->is_old != y->is_old ? x->is_old - y->is_old : by_price(&x->offer, &y->offer);
}

static int by_type(const void *a, const void *b)
{
    const struct fitting *x = a, *y = b;
    int r = strcmp(x->offer.vendor, y->offer.vendor);

    if (r == 0)
        r = strcmp(x->offer.type, y->offer.type);
    return r ? r : by_age(a, b);
}

/* Leaves each type its cheapest region, of those with a newer price where there is one. */
static size_t cheapest_regions(struct fitting *list, size_t n)
{
    size_t kept = 0;

    qsort(list, n, sizeof(*list), by_type);
    for (size_t i = 0; i < n; i++)
        if (kept == 0 || strcmp(list[kept - 1].offer.vendor, list[i].offer.vendor) != 0 ||
            strcmp(list[kept - 1].offer.type, list[i].offer.type) != 0)
            list[kept++] = list[i];
    return kept;
}

/* Days sort as texts; a server without a price has no day. */
static bool is_old(const struct gput_server_offer *o, const char *old_before)
{
    return old_before && *o->as_of && strcmp(o->as_of, old_before) < 0;
}

static size_t select_fitting(const struct gput_catalogue *c, const struct gput_server_needs *needs,
                             const struct gput_server_filters *filters, const char *old_before,
                             struct fitting *ret)
{
    size_t n = 0;

    for (size_t i = 0; i < c->n; i++) {
        const struct gput_server_offer *o = &c->list[i];

        if (gput__server_passes(o, filters) && gput__server_fits(o, needs) &&
            !costs_too_much(o, filters))
            ret[n++] = (struct fitting){ *o, is_old(o, old_before) };
    }
    if (n > 0 && !(filters->flags & GPUT_SERVERS_EVERY_REGION))
        n = cheapest_regions(ret, n);
    qsort(ret, n, sizeof(*ret), by_age);
    return n;
}

static void list_cheapest(const struct fitting *fitting, size_t n,
                          struct gput__servers_found *found)
{
    found->total = n;
    found->total_old = found->n = found->n_old = 0;
    for (size_t i = 0; i < n; i++)
        found->total_old += fitting[i].is_old;
    for (size_t i = 0; i < n - found->total_old && found->n < found->most; i++)
        found->list[found->n++] = fitting[i].offer;
    for (size_t i = n - found->total_old; i < n && found->n_old < found->most; i++)
        found->list[found->n + found->n_old++] = fitting[i].offer;
}

int gput__servers_find(const struct gput_catalogue *c, const struct gput_server_needs *needs,
                       const struct gput_server_filters *filters, const char *old_before,
                       struct gput__servers_found *found, struct gput_error *err)
{
    struct fitting *fitting = calloc(c->n ? c->n : 1, sizeof(*fitting));

    if (!fitting) {
        *err = (struct gput_error){ .text = "out of memory" };
        return -ENOMEM;
    }
    list_cheapest(fitting, select_fitting(c, needs, filters, old_before, fitting), found);
    free(fitting);
    if (found->total == 0) {
        gput__servers_unmet(c, needs, filters, err);
        return -ENODATA;
    }
    return 0;
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
