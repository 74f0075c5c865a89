/* history.c - the history of runs: they are added, listed, removed. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "api/files/demand_json.h"
#include "api/files/history.h"
#include "base/grow.h"
#include "base/text/iso_time.h"
#include "base/text/redact.h"
#include "model/figure.h"
#include "model/usage_rows.h"
#include "report/history.h"
#include "store/files/table.h"

int gput_history_file(char **ret_path)
{
    const char *own = secure_getenv("GPUT_HISTORY");

    if (!own || !*own)
        return gput_user_file(GPUT_STATE_FILE, "history.sqlite", ret_path);
    *ret_path = strdup(own);
    return *ret_path ? 0 : -ENOMEM;
}

int gput__history_name(const char *file, char **ret, struct gput_error *err)
{
    int r = file && *file ? (*ret = strdup(file)) ? 0 : -ENOMEM : gput_history_file(ret);

    if (r == -ENOENT)
        return gput__file_fail(r, "history", err, "there is no home folder for it: name a file");
    return r < 0 ? gput__file_fail(r, "history", err, "%s", strerror(-r)) : 0;
}

int gput_history_check(const char *file, struct gput_error *ret_err)
{
    struct gput_error unused, *err = ret_err ? ret_err : &unused;
    char *path;
    int r = gput__history_name(file, &path, err);

    if (r < 0)
        return r;
    r = gput__history_check(path, err);
    free(path);
    return r;
}

/* --- adding ----------------------------------------------------------------------------------- */

struct gput_history_entry {
    struct gput__history_run run;
    char *texts[9]; /* what `run` points to */
    size_t n_texts;
    char *demand;
    int is_short; /* of memory */
};

static const char *keep(struct gput_history_entry *e, const char *text)
{
    char *copy = text ? strdup(text) : NULL;

    e->is_short |= text && !copy;
    e->texts[e->n_texts++] = copy;
    return copy;
}

int gput_history_entry(const struct gput_usage *u, int no_redact, struct gput_history_entry **ret_e)
{
    struct gput_history_entry *e = calloc(1, sizeof(*e));
    struct gput_demand demand;
    char *command;

    if (!e)
        return -ENOMEM;
    command = no_redact ? NULL : gput__redacted(u->job.command);
    gput_demand_of(u, &demand);
    e->is_short = gput__demand_write(&demand, &e->demand) < 0;
    e->run = (struct gput__history_run){
        .run_id = keep(e, u->run.id),
        .job_name = keep(e, u->run.job_name),
        .command = keep(e, no_redact ? u->job.command : command),
        .folder = keep(e, u->run.folder),
        .host = keep(e, u->run.host),
        .version = keep(e, u->run.version),
        .tags = keep(e, u->run.tags),
        .ending = keep(e, gput__ending_name(u->job.ending)),
        .oom = keep(e, gput__oom_name(u->job.oom)),
        .demand = e->demand,
        .start = u->run.start_time ? gput__iso_time_read(u->run.start_time) : NAN,
        .code = u->job.code,
        .timed_out = u->job.timed_out,
    };
    free(command);
    for (int i = 0; i < GPUT__N_NAMED_FIGURES; i++)
        e->run.figure[i] = gput__figure_value(gput__named_figure_of(u, i));
    if (e->is_short) {
        gput_history_entry_close(e);
        return -ENOMEM;
    }
    *ret_e = e;
    return 0;
}

struct gput_history_entry *gput_history_entry_close(struct gput_history_entry *e)
{
    for (size_t i = 0; e && i < e->n_texts; i++)
        free(e->texts[i]);
    if (e)
        free(e->demand);
    free(e);
    return NULL;
}

int gput_history_add(const char *file, const struct gput_history_entry *e,
                     struct gput_error *ret_err)
{
    struct gput_error unused, *err = ret_err ? ret_err : &unused;
    char *path;
    int r = gput__history_name(file, &path, err);

    if (r < 0)
        return r;
    r = gput__history_add(path, &e->run, err);
    free(path);
    return r;
}

/* --- reading ---------------------------------------------------------------------------------- */

struct gput__history_filter gput__history_filter_of(const struct gput_history_query *q)
{
    return (struct gput__history_filter){ .job_name = q->job_name,
                                          .command = q->command,
                                          .tag = q->tag,
                                          .run = q->run,
                                          .since = q->since,
                                          .limit = q->limit };
}

struct gput_history_query gput__history_query_of(const struct gput_history_query *q)
{
    struct gput_history_query copy = GPUT_HISTORY_QUERY_INIT;

    if (q)
        memcpy(&copy, q, q->size < sizeof(copy) ? q->size : sizeof(copy));
    copy.size = sizeof(copy);
    return copy;
}

struct listing {
    struct gput__buf out;
    struct gput__json json;
    enum gput_format format;
    bool is_page;
    size_t n;
};

static int add_to_list(void *ctx, const struct gput__history_run *run)
{
    struct listing *l = ctx;

    l->n++;
    if (l->format == GPUT_JSON)
        gput__history_json(run, &l->json);
    else if (l->is_page)
        gput__history_page(run, &l->out);
    else
        gput__history_line(run, &l->out);
    return l->out.err;
}

/* Nothing to show is no fault of a list; of one run it is. */
static int finish(struct listing *l, const struct gput_history_query *q, const char *path,
                  char **ret_text, struct gput_error *err)
{
    if (q->run && l->n == 0)
        return gput__file_fail(-ENODATA, path, err, "there is no run '%.60s'", q->run);
    if (l->format == GPUT_JSON)
        gput__json_close_list(&l->json);
    return gput__buf_detach(&l->out, ret_text);
}

int gput_history_list(const char *file, const struct gput_history_query *query, char **ret_text,
                      struct gput_error *ret_err)
{
    struct gput_error unused, *err = ret_err ? ret_err : &unused;
    struct gput_history_query q = gput__history_query_of(query);
    struct gput__history_filter filter = gput__history_filter_of(&q);
    struct listing l = { .out = GPUT__BUF_INIT, .format = q.format, .is_page = q.run != NULL };
    char *path;
    int r = gput__history_name(file, &path, err);

    if (r < 0)
        return r;
    l.json.out = &l.out;
    if (l.format == GPUT_JSON)
        gput__json_open_list(&l.json, NULL);
    else if (!l.is_page)
        gput__history_head(&l.out);
    r = gput__history_read(path, &filter, add_to_list, &l, err);
    if (r == 0)
        r = finish(&l, &q, path, ret_text, err);
    gput__buf_free(&l.out);
    free(path);
    return r;
}

/* --- removing --------------------------------------------------------------------------------- */

int gput_history_prune(const char *file, double older_than, int64_t keep_newest, int64_t *ret_n,
                       struct gput_error *ret_err)
{
    struct gput_error unused, *err = ret_err ? ret_err : &unused;
    double before = older_than > 0 ? (double)time(NULL) - older_than : 0;
    char *path;
    int r = gput__history_name(file, &path, err);

    if (r < 0)
        return r;
    r = gput__history_prune(path, before, keep_newest, ret_n, err);
    free(path);
    return r;
}
