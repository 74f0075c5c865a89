/* server_search.c - the cheapest servers for what runs need, and the one that they were on. */
#include "api/servers/server_search.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>

#include "analysis/recommend.h"
#include "servers/servers.h"
#include "store/files/table.h"

enum {
    USUAL_LIMIT = 5,
    /* The Keeper knows no filters of ours: so many are asked for and looked through. */
    ASKED_FOR = 100,
    DAY_SIZE = 40, /* what a year of five digits and a NUL take, and more */
};

const char *gput__server_arch(const char *arch)
{
    static const char *const known[] = { "x86_64", "aarch64" };
    struct utsname name;

    if (!arch || strcmp(arch, "here") != 0)
        return arch;
    for (size_t i = 0; uname(&name) == 0 && i < sizeof(known) / sizeof(*known); i++)
        if (strcmp(known[i], name.machine) == 0)
            return known[i];
    return NULL;
}

void gput__server_search_begin(struct gput__server_search *s,
                               const struct gput_recommend_servers_options *opts,
                               const struct gput_callbacks *on)
{
    const struct gput_server_filters *filters;

    *s = (struct gput__server_search){ .o = GPUT_RECOMMEND_SERVERS_OPTIONS_INIT, .on = on };
    if (opts)
        memcpy(&s->o, opts, opts->size < sizeof(s->o) ? opts->size : sizeof(s->o));
    filters = s->o.filters;
    if (filters)
        memcpy(&s->filters, filters,
               filters->size < sizeof(s->filters) ? filters->size : sizeof(s->filters));
    s->filters.arch = gput__server_arch(s->filters.arch);
}

void gput__server_search_end(struct gput__server_search *s)
{
    free(s->list);
    gput__catalogue_free(s->catalogue);
    gput__catalogue_free(s->online);
}

static void set_needs(struct gput__server_search *s, const struct gput_demand *runs, size_t n)
{
    struct gput_resources ask;
    struct gput_demand all;

    gput__demand_combine(runs, n, &all);
    gput_recommend_margin(runs, n, s->o.margin, &ask);
    s->choice.needs = (struct gput_server_needs){ ask.cpu, (double)ask.memory_mib, ask.gpu,
                                                  (double)ask.vram_mib };
    s->choice.n_runs = n;
    for (size_t i = 0; ask.gpu > 0 && !s->filters.gpu_brand && i < n; i++)
        if (runs[i].gpu_brand[0])
            s->filters.gpu_brand = runs[i].gpu_brand;
    s->choice.seconds = all.duration;
    s->choice.arch = s->filters.arch;
}

static void warn(const struct gput__server_search *s, const char *what)
{
    char line[600];

    if (!s->on || !s->on->warn)
        return;
    snprintf(line, sizeof(line), "%s; prices are from %s", what, s->catalogue->origin);
    s->on->warn(s->on->ctx, line);
}

/* The day a year ago, as catalogues write it; NULL: the clock is of no use. */
static const char *a_year_ago(char ret[DAY_SIZE])
{
    time_t now = time(NULL);
    struct tm day;

    if (!gmtime_r(&now, &day))
        return NULL;
    day.tm_year--;
    return strftime(ret, DAY_SIZE, "%Y-%m-%d", &day) > 0 ? ret : NULL;
}

/* Looks into one catalogue. */
static int find_in(struct gput__server_search *s, const struct gput_catalogue *c,
                   struct gput_error *err)
{
    struct gput__servers_found found = { .most =
                                             s->o.limit > 0 ? (size_t)s->o.limit : USUAL_LIMIT };
    char day[DAY_SIZE];
    int r;

    free(s->list);
    s->list = found.list = calloc(2 * found.most, sizeof(*s->list));
    if (!s->list) {
        *err = (struct gput_error){ .text = "out of memory" };
        return -ENOMEM;
    }
    r = gput__servers_find(c, &s->choice.needs, &s->filters, a_year_ago(day), &found, err);
    if (r < 0)
        return r;
    s->choice.list = s->list;
    s->choice.n = found.n;
    s->choice.old = s->list + found.n;
    s->choice.n_old = found.n_old;
    s->choice.total = found.total;
    s->choice.total_old = found.total_old;
    s->choice.origin = c->origin;
    return 0;
}

/* 0: the Keeper's servers are in the list; else a warning has said why not. */
static int find_online(struct gput__server_search *s)
{
    int n = s->o.limit > ASKED_FOR ? s->o.limit : ASKED_FOR;
    struct gput_error err = { .text = "" };
    int r = -ENODATA;

    if (s->filters.region) {
        warn(s, "the Spare Cores Keeper does not list prices by region");
        return r;
    }
    r = gput_keeper_find(s->o.keeper_url, &s->choice.needs, n, 0, &s->online, NULL, &err);
    if (r == 0)
        r = find_in(s, s->online, &err);
    if (r == -ENODATA && s->online->n == 0)
        gput__file_fail(r, "the Spare Cores Keeper", &err, "it knows no server that fits");
    if (r < 0)
        warn(s, err.text);
    return r;
}

/* What the server costs that it ran on. */
static void price_current(struct gput__server_search *s, bool is_online)
{
    const char *vendor = s->o.current_vendor, *type = s->o.current_type;
    const char *region = s->o.current_region;
    struct gput_server_offer *now = &s->choice.current;
    double usd = NAN;

    if (!vendor || !type)
        return;
    s->choice.current_region = region;
    if (is_online && gput_keeper_price(s->o.keeper_url, vendor, type, region, 0, &usd,
                                       s->price_region, NULL) == 0) {
        *now = s->online->list[0]; /* for source and day */
        now->region = s->price_region;
        now->usd_hour = usd;
    } else if (gput__servers_price(s->catalogue, vendor, type, region, now) < 0) {
        *now = (struct gput_server_offer){ .region = "", .usd_hour = NAN };
    }
    now->vendor = vendor;
    now->type = type;
}

int gput__server_search(struct gput__server_search *s, const struct gput_demand *runs, size_t n,
                        struct gput_error *err)
{
    bool is_online;
    int r = gput_catalogue_open(s->o.catalogue, s->on, &s->catalogue, err);

    if (r < 0)
        return r;
    set_needs(s, runs, n);
    is_online = s->o.is_online && find_online(s) == 0;
    r = is_online ? 0 : find_in(s, s->catalogue, err);
    if (r == 0 || r == -ENODATA)
        price_current(s, is_online);
    return r;
}
