/* recommend_servers.c - the cheapest servers for what runs need. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/recommend.h"
#include "analysis/servers.h"
#include "report/server_choice.h"
#include "store/run_file.h"
#include "store/table.h"

enum {
    USUAL_LIMIT = 5,
    /* The Keeper knows no filters of ours: so many are asked for and looked through. */
    ASKED_FOR = 100,
};

/* What is put together, and what must live as long. */
struct work {
    const struct gput_recommend_servers_options *o;
    struct gput_server_filters filters;
    const struct gput_callbacks *on;
    struct gput_error *err;
    struct gput_demand *runs;
    char *vendor, *type, *region; /* the server that it ran on; NULL: not known */
    struct gput_catalogue *catalogue;
    struct gput_catalogue *online; /* NULL: it was not asked, or to no use */
    struct gput_server_offer *list;
    char price_region[64];
    struct gput__server_choice choice;
};

static void free_work(struct work *w)
{
    free(w->runs);
    free(w->vendor);
    free(w->type);
    free(w->region);
    free(w->list);
    gput__catalogue_free(w->catalogue);
    gput__catalogue_free(w->online);
}

static int no_memory(struct gput_error *err)
{
    *err = (struct gput_error){ .text = "out of memory" };
    return -ENOMEM;
}

static void move(char **to, char **from)
{
    free(*to);
    *to = *from;
    *from = NULL;
}

static int read_run(struct work *w, const char *file, struct gput_demand *ret)
{
    struct gput__run run;
    int r = gput__run_read(file, w->on, &run, w->err);

    if (r < 0)
        return r;
    gput__demand_of_run(&run, ret);
    if (run.cloud_vendor && run.instance_type) {
        move(&w->vendor, &run.cloud_vendor);
        move(&w->type, &run.instance_type);
        move(&w->region, &run.region);
    }
    gput__run_free(&run);
    if (!gput__demand_is_known(ret))
        return gput__file_fail(-ENODATA, file, w->err,
                               "there is no record in it, and so no figure to go by");
    return 0;
}

static int copy(char **to, const char *from)
{
    free(*to);
    *to = from ? strdup(from) : NULL;
    return from && !*to ? -ENOMEM : 0;
}

static int read_runs(struct work *w, const char *const *files, size_t n)
{
    struct gput_resources ask;
    struct gput_demand all;
    int r = 0;

    w->runs = calloc(n, sizeof(*w->runs));
    if (!w->runs)
        return no_memory(w->err);
    for (size_t i = 0; r == 0 && i < n; i++)
        r = read_run(w, files[i], &w->runs[i]);
    if (r < 0)
        return r;
    if (w->o->current_vendor && w->o->current_type &&
        (copy(&w->vendor, w->o->current_vendor) < 0 || copy(&w->type, w->o->current_type) < 0 ||
         copy(&w->region, w->o->current_region) < 0))
        return no_memory(w->err);
    gput__demand_combine(w->runs, n, &all);
    gput_recommend_margin(w->runs, n, w->o->margin, &ask);
    w->choice.needs = (struct gput_server_needs){ ask.cpu, (double)ask.memory_mib, ask.gpu,
                                                  (double)ask.vram_mib };
    w->choice.n_runs = n;
    w->choice.seconds = all.duration;
    w->choice.arch = w->filters.arch;
    return 0;
}

static void warn(const struct work *w, const char *what)
{
    char line[600];

    if (!w->on || !w->on->warn)
        return;
    snprintf(line, sizeof(line), "%s; prices are from %s", what, w->catalogue->origin);
    w->on->warn(w->on->ctx, line);
}

/* Looks into one catalogue. */
static int find_in(struct work *w, const struct gput_catalogue *c, struct gput_error *err)
{
    size_t n = w->o->limit > 0 ? (size_t)w->o->limit : USUAL_LIMIT;
    int r;

    free(w->list);
    w->list = calloc(n, sizeof(*w->list));
    if (!w->list)
        return no_memory(err);
    r = gput__servers_find(c, &w->choice.needs, &w->filters, w->list, n, &w->choice.total, err);
    if (r < 0)
        return r;
    w->choice.list = w->list;
    w->choice.n = (size_t)r;
    w->choice.origin = c->origin;
    return 0;
}

/* 0: the Keeper's servers are in the list; else a warning has said why not. */
static int find_online(struct work *w)
{
    int n = w->o->limit > ASKED_FOR ? w->o->limit : ASKED_FOR;
    struct gput_error err = { .text = "" };
    int r = -ENODATA;

    if (w->filters.region) {
        warn(w, "the Spare Cores Keeper does not list prices by region");
        return r;
    }
    r = gput_keeper_find(w->o->keeper_url, &w->choice.needs, n, 0, &w->online, NULL, &err);
    if (r == 0)
        r = find_in(w, w->online, &err);
    if (r == -ENODATA && w->online->n == 0)
        gput__file_fail(r, "the Spare Cores Keeper", &err, "it knows no server that fits");
    if (r < 0)
        warn(w, err.text);
    return r;
}

/* What the server costs that it ran on. */
static void price_current(struct work *w, bool is_online)
{
    struct gput_server_offer *now = &w->choice.current;
    double usd = NAN;

    if (!w->vendor || !w->type)
        return;
    w->choice.current_region = w->region;
    if (is_online && gput_keeper_price(w->o->keeper_url, w->vendor, w->type, w->region, 0, &usd,
                                       w->price_region, NULL) == 0) {
        *now = w->online->list[0]; /* for source and day */
        now->region = w->price_region;
        now->usd_hour = usd;
    } else if (gput__servers_price(w->catalogue, w->vendor, w->type, w->region, now) < 0) {
        *now = (struct gput_server_offer){ .region = "", .usd_hour = NAN };
    }
    now->vendor = w->vendor;
    now->type = w->type;
}

static int choose(struct work *w)
{
    bool is_online;
    int r = gput_catalogue_open(w->o->catalogue, w->on, &w->catalogue, w->err);

    if (r < 0)
        return r;
    is_online = w->o->is_online && find_online(w) == 0;
    r = is_online ? 0 : find_in(w, w->catalogue, w->err);
    if (r == 0)
        price_current(w, is_online);
    return r;
}

int gput_recommend_servers(const char *const *files, size_t n,
                           const struct gput_recommend_servers_options *opts,
                           const struct gput_callbacks *on, char **ret_text,
                           struct gput_error *ret_err)
{
    struct gput_recommend_servers_options o = GPUT_RECOMMEND_SERVERS_OPTIONS_INIT;
    struct gput_error err = { .text = "there is no file" };
    struct work w = { .o = &o, .on = on, .err = &err };
    struct gput__buf out = GPUT__BUF_INIT;
    int r = -EINVAL;

    if (opts)
        memcpy(&o, opts, opts->size < sizeof(o) ? opts->size : sizeof(o));
    if (o.filters)
        memcpy(&w.filters, o.filters,
               o.filters->size < sizeof(w.filters) ? o.filters->size : sizeof(w.filters));
    if (n > 0)
        r = read_runs(&w, files, n);
    if (r == 0)
        r = choose(&w);
    if (r == 0) {
        if (o.format == GPUT_JSON)
            gput__server_choice_json(&w.choice, &out);
        else
            gput__server_choice_text(&w.choice, &out);
        r = gput__buf_take(&out, ret_text);
        if (r < 0)
            no_memory(&err);
    }
    free_work(&w);
    if (r < 0 && ret_err)
        *ret_err = err;
    return r;
}
