/* servers_unmet.c - why no server was found: the one filter or need that nobody meets. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/text/print.h"
#include "servers/servers.h"

#define MIB_PER_GIB 1024

__attribute__((format(printf, 2, 3))) static void say(struct gput_error *err, const char *format,
                                                      ...)
{
    va_list args;

    *err = (struct gput_error){ .field = "" };
    va_start(args, format);
    gput__vsnprintf(err->text, sizeof(err->text), format, args);
    va_end(args);
}

static bool anybody_passes(const struct gput_catalogue *c, const struct gput_server_filters *f)
{
    for (size_t i = 0; i < c->n; i++)
        if (gput__server_passes(&c->list[i], f))
            return true;
    return false;
}

/* Sets the filters one after the other; says so where the last one leaves nobody. */
static bool filters_leave_nobody(const struct gput_catalogue *c,
                                 const struct gput_server_filters *f, struct gput_error *err)
{
    struct gput_server_filters set = { .flags = f->flags | GPUT_SERVERS_BURSTABLE };

    if ((set.vendor = f->vendor) && !anybody_passes(c, &set))
        say(err, "no server of vendor '%.80s' is in the catalogue", f->vendor);
    else if ((set.region = f->region) && !anybody_passes(c, &set))
        say(err, "no server in region '%.80s' is in the catalogue%s%.80s", f->region,
            f->vendor ? " of " : "", f->vendor ? f->vendor : "");
    else if ((set.gpu_model = f->gpu_model) && !anybody_passes(c, &set))
        say(err, "no server has a GPU of model '%.80s'", f->gpu_model);
    else if ((set.arch = f->arch) && !anybody_passes(c, &set))
        say(err, "no server has the architecture '%.80s'", f->arch);
    else if (set.flags = f->flags, !anybody_passes(c, &set))
        say(err, "all servers that are left are burstable");
    else
        return false;
    return true;
}

struct need {
    double needed;
    double (*of)(const struct gput_server_offer *o);
    const char *what, *most; /* "GPUs", "the most are" */
    double unit;
};

static double vcpus_of(const struct gput_server_offer *o)
{
    return o->vcpus;
}

static double memory_of(const struct gput_server_offer *o)
{
    return o->memory_mib;
}

static double gpus_of(const struct gput_server_offer *o)
{
    return o->gpus;
}

static double vram_of(const struct gput_server_offer *o)
{
    return o->vram_mib;
}

static double vram_of_one(const struct gput_server_offer *o)
{
    return o->gpus > 0 ? o->vram_mib / ceil(o->gpus) : 0;
}

/* Whether nobody meets one need, whatever else they have. */
static bool nobody_has(const struct need *need, const struct gput_catalogue *c,
                       const struct gput_server_filters *f, struct gput_error *err)
{
    char where[200] = "";
    double most = 0;

    for (size_t i = 0; i < c->n; i++)
        if (gput__server_passes(&c->list[i], f))
            most = fmax(most, need->of(&c->list[i]));
    if (most >= need->needed)
        return false;
    snprintf(where, sizeof(where), "%s%.80s%s%.80s", f->vendor ? " of " : "",
             f->vendor ? f->vendor : "", f->region ? " in " : "", f->region ? f->region : "");
    if (most == 0 && need->of == gpus_of)
        say(err, "no server%s has a GPU%s%.80s", where, f->gpu_brand ? " of brand " : "",
            f->gpu_brand ? f->gpu_brand : "");
    else
        say(err, "no server%s has %.10g %s; %s %.10g", where, need->needed / need->unit, need->what,
            need->most, most / need->unit);
    return true;
}

static bool a_need_is_unmet(const struct gput_catalogue *c, const struct gput_server_needs *n,
                            const struct gput_server_filters *f, struct gput_error *err)
{
    const struct need needs[] = {
        { n->vcpus, vcpus_of, "vCPUs", "the most are", 1 },
        { n->memory_mib, memory_of, "GiB of memory", "the most is", MIB_PER_GIB },
        { n->gpus, gpus_of, "GPUs", "the most are", 1 },
        { n->vram_mib, vram_of, "GiB of GPU memory", "the most is", MIB_PER_GIB },
        { n->vram_mib / fmax(1, ceil(n->gpus)), vram_of_one, "GiB of memory in each GPU",
          "the most is", MIB_PER_GIB },
    };

    for (size_t i = 0; i < sizeof(needs) / sizeof(*needs); i++)
        if (nobody_has(&needs[i], c, f, err))
            return true;
    return false;
}

static void say_all(const struct gput_server_needs *n, struct gput_error *err)
{
    char gpus[120] = "";

    if (n->gpus > 0 || n->vram_mib > 0)
        gput__snprintf(gpus, sizeof(gpus), ", %.10g GPUs with %.10g GiB in all", fmax(n->gpus, 1),
                       n->vram_mib / MIB_PER_GIB);
    say(err, "no server has all at once: %.10g vCPUs, %.10g GiB of memory%s", n->vcpus,
        n->memory_mib / MIB_PER_GIB, gpus);
}

void gput__servers_unmet(const struct gput_catalogue *c, const struct gput_server_needs *needs,
                         const struct gput_server_filters *f, struct gput_error *err)
{
    const struct gput_server_offer *cheapest = NULL;

    if (filters_leave_nobody(c, f, err) || a_need_is_unmet(c, needs, f, err))
        return;
    for (size_t i = 0; i < c->n; i++) {
        const struct gput_server_offer *o = &c->list[i];

        if (gput__server_passes(o, f) && gput__server_fits(o, needs) &&
            (!cheapest || isnan(cheapest->usd_hour) || o->usd_hour < cheapest->usd_hour))
            cheapest = o;
    }
    if (!cheapest)
        say_all(needs, err);
    else if (isnan(cheapest->usd_hour))
        say(err, "only servers fit whose price is not in the catalogue, such as %.40s %.60s",
            cheapest->vendor, cheapest->type);
    else
        say(err,
            "the cheapest server that fits, %.40s %.60s in %.60s, costs %.10g USD an hour: "
            "more than %.10g",
            cheapest->vendor, cheapest->type, cheapest->region, cheapest->usd_hour,
            f->max_usd_hour);
}
