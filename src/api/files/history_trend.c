/* history_trend.c - how the figures of each job moved from run to run. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "api/files/history.h"
#include "base/grow.h"
#include "report/history.h"
#include "store/files/table.h"

struct series {
    char *name;
    double *figure; /* the newest run first, as they are read */
    double *start;
    size_t n, cap, cap_start;
    double first, last;
};

struct trends {
    struct series *list;
    size_t n, cap;
};

/* A job without a name is known by its command. */
static struct series *series_of(struct trends *t, const struct gput__history_run *run)
{
    const char *name = run->job_name ? run->job_name : run->command ? run->command : "?";

    for (size_t i = 0; i < t->n; i++)
        if (strcmp(t->list[i].name, name) == 0)
            return &t->list[i];
    if (GPUT__GROW(t->list, t->cap, t->n + 1) < 0)
        return NULL;
    t->list[t->n] = (struct series){ .name = strdup(name), .last = run->start };
    return t->list[t->n].name ? &t->list[t->n++] : NULL;
}

static int add_run(void *ctx, const struct gput__history_run *run)
{
    struct series *s = series_of(ctx, run);

    if (!s || GPUT__GROW(s->figure, s->cap, (s->n + 1) * GPUT__N_NAMED_FIGURES) < 0 ||
        GPUT__GROW(s->start, s->cap_start, s->n + 1) < 0)
        return -ENOMEM;
    s->start[s->n] = run->start;
    memcpy(s->figure + s->n * GPUT__N_NAMED_FIGURES, run->figure, sizeof(run->figure));
    s->first = run->start;
    s->n++;
    return 0;
}

static void turn_round(struct series *s)
{
    enum { WIDTH = GPUT__N_NAMED_FIGURES };

    for (size_t i = 0; i < s->n / 2; i++) {
        double *a = s->figure + i * WIDTH, *b = s->figure + (s->n - 1 - i) * WIDTH, held[WIDTH];

        memcpy(held, a, sizeof(held));
        memcpy(a, b, sizeof(held));
        memcpy(b, held, sizeof(held));
        held[0] = s->start[i];
        s->start[i] = s->start[s->n - 1 - i];
        s->start[s->n - 1 - i] = held[0];
    }
}

static struct gput__history_series shown(const struct series *s)
{
    return (struct gput__history_series){ s->name, s->n, s->figure, s->start, s->first, s->last };
}

static void write_trends(struct trends *t, const struct gput_history_query *q, int only,
                         struct gput__buf *out)
{
    struct gput__json j = { .out = out };

    if (q->format == GPUT_JSON)
        gput__json_open_list(&j, NULL);
    for (size_t i = 0; i < t->n; i++) {
        const struct series *s = &t->list[i];
        struct gput__history_series one = shown(s);

        if (q->format == GPUT_JSON)
            gput__trend_json(&one, only, &j);
        else
            gput__trend_text(&one, only, q->width > 0 ? q->width : 40, q->use_unicode, out);
    }
    if (q->format == GPUT_JSON)
        gput__json_close_list(&j);
}

static int write_page(const struct trends *t, struct gput__buf *out)
{
    struct gput__history_series *jobs = calloc(t->n + 1, sizeof(*jobs));
    int r;

    if (!jobs)
        return -ENOMEM;
    for (size_t i = 0; i < t->n; i++)
        jobs[i] = shown(&t->list[i]);
    r = gput__html_history(jobs, t->n, out);
    free(jobs);
    return r;
}

static void free_trends(struct trends *t)
{
    for (size_t i = 0; i < t->n; i++) {
        free(t->list[i].name);
        free(t->list[i].figure);
        free(t->list[i].start);
    }
    free(t->list);
}

/* The runs that are meant, each job's with the oldest first. */
static int read_trends(const char *file, const struct gput_history_query *q, struct trends *ret,
                       struct gput_error *err)
{
    struct gput__history_filter filter = gput__history_filter_of(q);
    char *path;
    int r = gput__history_name(file, &path, err);

    if (r < 0)
        return r;
    r = gput__history_read(path, &filter, add_run, ret, err);
    if (r == 0 && ret->n == 0)
        r = gput__file_fail(-ENODATA, path, err, "there is no such run");
    for (size_t i = 0; i < ret->n; i++)
        turn_round(&ret->list[i]);
    free(path);
    return r;
}

int gput_history_trend(const char *file, const struct gput_history_query *query, char **ret_text,
                       struct gput_error *ret_err)
{
    struct gput_error unused, *err = ret_err ? ret_err : &unused;
    struct gput_history_query q = gput__history_query_of(query);
    struct gput__buf out = GPUT__BUF_INIT;
    struct trends t = { .list = NULL };
    int only = q.figure ? gput__named_figure_find(q.figure) : -1, r;

    if (q.figure && only < 0)
        return gput__file_fail(-EINVAL, "figure", err, "'%.60s' is no figure with a short name",
                               q.figure);
    r = read_trends(file, &q, &t, err);
    if (r == 0) {
        write_trends(&t, &q, only, &out);
        r = gput__buf_detach(&out, ret_text);
    }
    free_trends(&t);
    gput__buf_free(&out);
    return r;
}

int gput_history_page(const char *file, const struct gput_history_query *query, char **ret_html,
                      struct gput_error *ret_err)
{
    struct gput_error unused, *err = ret_err ? ret_err : &unused;
    struct gput_history_query q = gput__history_query_of(query);
    struct gput__buf out = GPUT__BUF_INIT;
    struct trends t = { .list = NULL };
    int r = read_trends(file, &q, &t, err);

    if (r == 0)
        r = write_page(&t, &out);
    if (r == 0)
        r = gput__buf_detach(&out, ret_html);
    free_trends(&t);
    gput__buf_free(&out);
    return r;
}
