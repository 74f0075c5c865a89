/* compare.c - several runs beside each other: for each measurement the runs by value. */
#include "analysis/compare.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/block_match.h"
#include "base/buf.h"
#include "store/files/table.h"

static int out_of_memory(struct gput_error *ret_err)
{
    *ret_err = (struct gput_error){ .text = "out of memory" };
    return -ENOMEM;
}

static int read_results(struct gput__comparison *c, const struct gput_session *sessions, size_t n,
                        enum gput_statistic statistic, struct gput_error *ret_err)
{
    c->results = calloc(n + 1, sizeof(*c->results));
    if (!c->results)
        return out_of_memory(ret_err);
    while (c->n_sessions < n) {
        size_t i = c->n_sessions++;
        int r = gput__result_read(&c->results[i], sessions[i].file, statistic, ret_err);

        if (r < 0)
            return r;
        gput__blocks_sort(&c->results[i]);
    }
    return 0;
}

/* Where measurement m of the first run stands in another. */
static int find_measurement(const struct gput__result *res, const char *name, size_t *ret)
{
    for (size_t i = 0; i < res->n_measurements; i++) {
        if (strcmp(res->measurements[i], name) == 0) {
            *ret = i;
            return 0;
        }
    }
    return -ENOENT;
}

static int check_measurements(const struct gput__comparison *c, const struct gput_session *sessions,
                              struct gput_error *ret_err)
{
    const struct gput__result *first = &c->results[0];
    size_t unused;

    for (size_t i = 1; i < c->n_sessions; i++)
        for (size_t m = 0; m < first->n_measurements; m++)
            if (find_measurement(&c->results[i], first->measurements[m], &unused) < 0)
                return gput__file_fail(-EBADMSG, sessions[i].file, ret_err,
                                       "'overall' has no '%.80s', which %.200s has",
                                       first->measurements[m], sessions[0].file);
    return 0;
}

/* Those without a value last; equal ones in the order of the sessions. */
static bool goes_before(double a, double b)
{
    return isnan(b) ? !isnan(a) : a < b;
}

static void insert(struct gput__ranked *list, size_t n, struct gput__ranked what)
{
    while (n > 0 && goes_before(what.value, list[n - 1].value)) {
        list[n] = list[n - 1];
        n--;
    }
    list[n] = what;
}

static void rank(struct gput__comparison *c, const struct gput_session *sessions)
{
    for (size_t s = 0; s < c->n_sessions; s++) {
        const struct gput__result *res = &c->results[s];

        for (size_t m = 0; m < c->n_measurements; m++) {
            size_t at = 0;

            (void)find_measurement(res, c->measurements[m], &at); /* checked before */
            insert(c->overall + m * c->n_sessions, s,
                   (struct gput__ranked){ sessions[s].name, res->overall[at] });
            for (size_t b = 0; b < c->n_blocks; b++)
                insert(c->usage + (m * c->n_blocks + b) * c->n_sessions, s,
                       (struct gput__ranked){ sessions[s].name, res->blocks[b].usage[at] });
        }
        for (size_t b = 0; b < c->n_blocks; b++)
            insert(c->computed + b * c->n_sessions, s,
                   (struct gput__ranked){ sessions[s].name, res->blocks[b].compute_time });
    }
}

static int make_room(struct gput__comparison *c)
{
    size_t n = c->n_sessions;

    c->overall = calloc(c->n_measurements * n + 1, sizeof(*c->overall));
    c->usage = calloc(c->n_measurements * c->n_blocks * n + 1, sizeof(*c->usage));
    c->computed = calloc(c->n_blocks * n + 1, sizeof(*c->computed));
    c->blocks = calloc(c->n_blocks + 1, sizeof(*c->blocks));
    if (!c->overall || !c->usage || !c->computed || !c->blocks)
        return -ENOMEM;
    for (size_t b = 0; b < c->n_blocks; b++) {
        c->blocks[b] = gput__block_label(c->results, n, b);
        if (!c->blocks[b])
            return -ENOMEM;
    }
    return 0;
}

int gput__comparison_make(struct gput__comparison *c, const struct gput_session *sessions, size_t n,
                          enum gput_statistic statistic, const struct gput_callbacks *on,
                          struct gput_error *ret_err)
{
    int r;

    *c = (struct gput__comparison){ 0 };
    r = read_results(c, sessions, n, statistic, ret_err);
    r = r < 0 ? r : check_measurements(c, sessions, ret_err);
    r = r < 0 ? r : gput__blocks_match(c->results, sessions, n, on, ret_err);
    if (r < 0)
        return r;
    c->measurements = c->results[0].measurements;
    c->n_measurements = c->results[0].n_measurements;
    c->n_blocks = c->results[0].n_blocks;
    if (make_room(c) < 0)
        return out_of_memory(ret_err);
    rank(c, sessions);
    return 0;
}

void gput__comparison_free(struct gput__comparison *c)
{
    for (size_t b = 0; c->blocks && b < c->n_blocks; b++)
        free(c->blocks[b]);
    free(c->blocks);
    free(c->overall);
    free(c->usage);
    free(c->computed);
    for (size_t i = 0; c->results && i < c->n_sessions; i++)
        gput__result_free(&c->results[i]);
    free(c->results);
    *c = (struct gput__comparison){ 0 };
}
