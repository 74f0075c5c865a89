/* recommend_history.c - what to ask for next time, from the history of a job. */
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/past_demands.h"
#include "analysis/recommend.h"
#include "api/files/demand_json.h"
#include "api/files/history.h"
#include "api/files/recommend.h"
#include "base/grow.h"
#include "report/text/amount.h"
#include "store/files/table.h"

enum { NEWEST = 1000 }; /* what was before them says little of the next one */

/* The runs, the newest first as they are read. */
struct past_runs {
    struct gput_demand *runs;
    size_t n, cap;
};

static int add_run(void *ctx, const struct gput__history_run *run)
{
    struct past_runs *p = ctx;

    if (GPUT__GROW(p->runs, p->cap, p->n + 1) < 0)
        return -ENOMEM;
    if (gput__demand_parse(run->demand, &p->runs[p->n]) == 0 &&
        gput__demand_is_known(&p->runs[p->n]))
        p->n++;
    return 0;
}

static void turn_round(struct past_runs *p)
{
    for (size_t i = 0; i < p->n / 2; i++) {
        struct gput_demand held = p->runs[i];

        p->runs[i] = p->runs[p->n - 1 - i];
        p->runs[p->n - 1 - i] = held;
    }
}

enum { MOST_FACTS = 5 };

struct facts {
    char text[MOST_FACTS][200];
    const char *list[MOST_FACTS + 1];
    int n;
};

__attribute__((format(printf, 2, 3))) static void add_fact(struct facts *f, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vsnprintf(f->text[f->n], sizeof(f->text[0]), format, args);
    va_end(args);
    f->list[f->n] = f->text[f->n];
    f->n++;
}

static void say_past(const struct gput__past *past, const char *file, struct facts *f)
{
    char text[GPUT__AMOUNT_SIZE], next[GPUT__AMOUNT_SIZE];

    add_fact(f, "from %zu runs of the history %.120s", past->n_runs, file);
    if (past->share < 1)
        add_fact(f, "what the highest twentieth of the runs had above the others is left out");
    if (past->growth > 0)
        add_fact(f, "the peak of memory grows by %s a run; the next one is taken to have %s",
                 gput__amount_bytes(past->growth, text),
                 gput__amount_bytes(past->next_memory, next));
    if (past->n_killed > 0)
        add_fact(f, "%zu of them %s killed for memory: %s were not enough", past->n_killed,
                 past->n_killed == 1 ? "was" : "were", gput__amount_bytes(past->killed_at, text));
    if (past->n_left_out > past->n_killed)
        add_fact(f, "%zu that failed in another way do not count",
                 past->n_left_out - past->n_killed);
}

/* A line for each run is for who has a few. */
static int write_past(struct past_runs *p, const char *file, const struct gput_recommend_options *o,
                      const struct gput__recommend_target *target, char **ret_text)
{
    struct gput__past past;
    struct facts facts = { .n = 0 };
    const char **names, **kinds, **files;
    size_t n = gput__past_demands(p->runs, p->n, &past);
    int r = -ENOMEM;

    names = calloc(n + 1, sizeof(*names));
    kinds = calloc(n + 1, sizeof(*kinds));
    files = calloc(n + 1, sizeof(*files));
    say_past(&past, file, &facts);
    if (names && kinds && files) {
        struct gput__recommendation rec = { .runs = p->runs,
                                            .files = files,
                                            .names = names,
                                            .kinds = kinds,
                                            .n = n,
                                            .facts = facts.list };

        for (size_t i = 0; i < n; i++) {
            names[i] = "run";
            kinds[i] = "of the history";
            files[i] = file;
        }
        r = gput__recommend_write(&rec, o, target, ret_text);
    }
    free(names);
    free(kinds);
    free(files);
    return r;
}

static int recommend(const char *path, const struct gput__history_filter *filter,
                     const struct gput_recommend_options *o,
                     const struct gput__recommend_target *target, char **ret_text,
                     struct gput_error *err)
{
    struct past_runs p = { .runs = NULL };
    int r = gput__history_read(path, filter, add_run, &p, err);

    if (r == 0 && p.n == 0)
        r = gput__file_fail(-ENODATA, path, err, "there is no such run");
    if (r == 0) {
        turn_round(&p);
        r = write_past(&p, path, o, target, ret_text);
        if (r < 0)
            (void)gput__file_fail(r, path, err, "%s", strerror(-r));
    }
    free(p.runs);
    return r;
}

int gput_recommend_history(const char *file, const struct gput_history_query *query,
                           const struct gput_recommend_options *opts, char **ret_text,
                           struct gput_error *ret_err)
{
    struct gput_error unused, *err = ret_err ? ret_err : &unused;
    struct gput_history_query q = gput__history_query_of(query);
    struct gput__history_filter filter = gput__history_filter_of(&q);
    struct gput_recommend_options o;
    const struct gput__recommend_target *target;
    char *path;
    int r = gput__recommend_options(opts, &o, &target, err);

    if (r == 0)
        r = gput__history_name(file, &path, err);
    if (r < 0)
        return r;
    filter.wants_demand = true;
    filter.limit = filter.limit > 0 && filter.limit < NEWEST ? filter.limit : NEWEST;
    r = recommend(path, &filter, &o, target, ret_text, err);
    free(path);
    return r;
}
