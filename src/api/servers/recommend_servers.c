/* recommend_servers.c - the cheapest servers for what runs need, behind gput.h. */
#include <errno.h>
#include <stdlib.h>

#include "analysis/recommend.h"
#include "api/servers/server_search.h"
#include "store/files/table.h"
#include "store/runs/run_file.h"

/* The runs, and the server that they were on. */
struct work {
    const struct gput_callbacks *on;
    struct gput_demand *runs;
    char *vendor, *type, *region; /* NULL: not known */
};

static void free_work(struct work *w)
{
    free(w->runs);
    free(w->vendor);
    free(w->type);
    free(w->region);
}

static void move(char **to, char **from)
{
    free(*to);
    *to = *from;
    *from = NULL;
}

static int read_run(struct work *w, const char *file, struct gput_demand *ret,
                    struct gput_error *err)
{
    struct gput__run run;
    int r = gput__run_read(file, w->on, &run, err);

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
        return gput__file_fail(-ENODATA, file, err,
                               "there is no record in it, and so no figure to go by");
    return 0;
}

static int no_memory(struct gput_error *err)
{
    *err = (struct gput_error){ .text = "out of memory" };
    return -ENOMEM;
}

static int read_runs(struct work *w, const char *const *files, size_t n, struct gput_error *err)
{
    int r = 0;

    w->runs = calloc(n, sizeof(*w->runs));
    if (!w->runs)
        return no_memory(err);
    for (size_t i = 0; r == 0 && i < n; i++)
        r = read_run(w, files[i], &w->runs[i], err);
    return r;
}

static int search(struct gput__server_search *s, const struct gput_demand *runs, size_t n,
                  char **ret_text, struct gput_error *err)
{
    struct gput__buf out = GPUT__BUF_INIT;
    int r = gput__server_search(s, runs, n, err);

    if (r < 0)
        return r;
    s->choice.width = s->o.width;
    if (s->o.format == GPUT_JSON)
        gput__server_choice_json(&s->choice, &out);
    else
        gput__server_choice_text(&s->choice, &out);
    r = gput__buf_detach(&out, ret_text);
    return r < 0 ? no_memory(err) : 0;
}

int gput_recommend_servers_of(const struct gput_demand *runs, size_t n,
                              const struct gput_recommend_servers_options *opts,
                              const struct gput_callbacks *on, char **ret_text,
                              struct gput_error *ret_err)
{
    struct gput_error err = { .text = "there is no run" };
    struct gput__server_search s;
    int r = -EINVAL;

    gput__server_search_begin(&s, opts, on);
    if (n > 0)
        r = search(&s, runs, n, ret_text, &err);
    gput__server_search_end(&s);
    if (r < 0 && ret_err)
        *ret_err = err;
    return r;
}

int gput_recommend_servers(const char *const *files, size_t n,
                           const struct gput_recommend_servers_options *opts,
                           const struct gput_callbacks *on, char **ret_text,
                           struct gput_error *ret_err)
{
    struct gput_error err = { .text = "there is no file" };
    struct gput__server_search s;
    struct work w = { .on = on };
    int r = -EINVAL;

    gput__server_search_begin(&s, opts, on);
    if (n > 0)
        r = read_runs(&w, files, n, &err);
    if (r == 0 && !(s.o.current_vendor && s.o.current_type)) {
        s.o.current_vendor = w.vendor;
        s.o.current_type = w.type;
        s.o.current_region = w.region;
    }
    if (r == 0)
        r = search(&s, w.runs, n, ret_text, &err);
    gput__server_search_end(&s);
    free_work(&w);
    if (r < 0 && ret_err)
        *ret_err = err;
    return r;
}
