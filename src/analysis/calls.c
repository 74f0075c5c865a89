/* calls.c - marks of code blocks paired to calls: like brackets, for each block in each process. */
#include "analysis/calls.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "base/text/dtoa.h"
#include "base/text/text.h"

struct marks {
    struct gput__read_mark *list;
    size_t n, cap;
    uint32_t *order; /* by block, process and time */
};

static int append(struct marks *m, const struct gput__read_mark *mark)
{
    if (m->n == UINT32_MAX || GPUT__GROW(m->list, m->cap, m->n + 1) < 0)
        return -ENOMEM;
    m->list[m->n++] = *mark;
    return 0;
}

static int read_marks(struct marks *m, struct gput__names *names, const char *path,
                      const struct gput_callbacks *on, struct gput_error *ret_err)
{
    struct gput__sub_tracking_file file;
    struct gput__read_mark mark;
    int r = gput__sub_tracking_file_open(&file, path, on, ret_err);

    while (r == 0 && (r = gput__sub_tracking_file_next(&file, names, &mark, ret_err)) > 0) {
        r = append(m, &mark);
        if (r < 0)
            gput__table_fail(file.table, ret_err, "%s", strerror(ENOMEM));
    }
    gput__sub_tracking_file_close(&file);
    return r;
}

/* --- order ---------------------------------------------------------------------------------- */

static int by_name(const void *a, const void *b, void *ctx)
{
    const struct gput__names *names = ctx;

    /* By bytes, which is the order of code points, as Python sorts. */
    return strcmp(names->list[*(const uint32_t *)a].text, names->list[*(const uint32_t *)b].text);
}

/* Numbers the blocks in the order of their names, in the marks too. */
static int number_blocks(struct gput__calls *c, struct marks *m)
{
    uint32_t n = c->names.n;
    uint32_t *sorted = malloc((n + 1) * sizeof(*sorted));
    uint32_t *rank = malloc((n + 1) * sizeof(*rank));
    int r = -ENOMEM;

    c->blocks = calloc(n + 1, sizeof(*c->blocks));
    if (!sorted || !rank || !c->blocks)
        goto out;
    for (uint32_t i = 0; i < n; i++)
        sorted[i] = i;
    qsort_r(sorted, n, sizeof(*sorted), by_name, &c->names);
    for (uint32_t i = 0; i < n; i++) {
        rank[sorted[i]] = i;
        c->blocks[i].name = c->names.list[sorted[i]].text;
        c->blocks[i].peak_rss_bytes = NAN;
    }
    for (size_t i = 0; i < m->n; i++)
        m->list[i].name = rank[m->list[i].name];
    c->n_blocks = n;
    r = 0;
out:
    free(sorted);
    free(rank);
    return r;
}

#define COMPARE(a, b) (((a) > (b)) - ((a) < (b)))

/* What is written at the same moment stays in the order of the file. */
static int by_block_process_time(const void *a, const void *b, void *ctx)
{
    const struct gput__read_mark *list = ctx;
    uint32_t i = *(const uint32_t *)a, j = *(const uint32_t *)b;
    const struct gput__read_mark *x = &list[i], *y = &list[j];

    if (x->name != y->name)
        return COMPARE(x->name, y->name);
    if (x->process_id != y->process_id)
        return COMPARE(x->process_id, y->process_id);
    if (x->timestamp != y->timestamp)
        return COMPARE(x->timestamp, y->timestamp);
    return COMPARE(i, j);
}

static int by_process_start(const void *a, const void *b)
{
    const struct gput_call *x = a, *y = b;

    if (x->process_id != y->process_id)
        return COMPARE(x->process_id, y->process_id);
    if (x->start != y->start)
        return COMPARE(x->start, y->start);
    return COMPARE(x->stop, y->stop);
}

static int sort_marks(struct marks *m)
{
    m->order = malloc((m->n + 1) * sizeof(*m->order));
    if (!m->order)
        return -ENOMEM;
    for (uint32_t i = 0; i < m->n; i++)
        m->order[i] = i;
    qsort_r(m->order, m->n, sizeof(*m->order), by_block_process_time, m->list);
    return 0;
}

/* --- pairs ---------------------------------------------------------------------------------- */

static void add_exact(struct gput__block_calls *b, const struct gput__read_mark *start,
                      const struct gput__read_mark *stop)
{
    double seconds = stop->cpu_seconds - start->cpu_seconds;

    if (isfinite(seconds))
        gput__moments_add(&b->cpu_time, &seconds, 1);
    if (!(stop->peak_rss_bytes > start->peak_rss_bytes))
        return;
    /* The kernel's high-water mark rose in between: it was reached inside this call. */
    b->n_peaks++;
    if (!(b->peak_rss_bytes >= stop->peak_rss_bytes))
        b->peak_rss_bytes = stop->peak_rss_bytes;
}

static int refuse_stop(const char *path, const struct gput__block_calls *b,
                       const struct gput__read_mark *stop, struct gput_error *ret_err)
{
    const char *place = gput__path_ends_in(path, ".csv") ? "line" : "table data, row";
    char name[120], time[32];

    gput__dtoa(stop->timestamp, time);
    return gput__file_fail(-EBADMSG, path, ret_err,
                           "%s %llu: a stop without its start: code block '%s', process %lld, "
                           "time %s",
                           place, (unsigned long long)stop->row,
                           gput__text_shown(b->name, strlen(b->name), name, sizeof(name)),
                           (long long)stop->process_id, time);
}

/* The calls of one block: m->order[begin..end). */
static int pair(struct gput__calls *c, struct gput__block_calls *b, const struct marks *m,
                size_t begin, size_t end, const char *path, uint32_t *open,
                struct gput_error *ret_err)
{
    size_t depth = 0;
    int64_t process = 0;

    b->calls = c->all + c->n;
    for (size_t i = begin; i < end; i++) {
        const struct gput__read_mark *mark = &m->list[m->order[i]], *start;

        if (i == begin || mark->process_id != process) {
            b->n_unfinished += depth;
            depth = 0;
            process = mark->process_id;
        }
        if (!mark->is_stop) {
            open[depth++] = m->order[i];
            continue;
        }
        if (depth == 0)
            return refuse_stop(path, b, mark, ret_err);
        start = &m->list[open[--depth]];
        if (mark->timestamp < c->from || start->timestamp > c->to) {
            c->n_elsewhere++;
            continue;
        }
        b->calls[b->n++] = (struct gput_call){ process, start->timestamp, mark->timestamp };
        add_exact(b, start, mark);
    }
    b->n_unfinished += depth;
    c->n += b->n;
    qsort(b->calls, b->n, sizeof(*b->calls), by_process_start);
    return 0;
}

static int pair_all(struct gput__calls *c, const struct marks *m, const char *path,
                    struct gput_error *ret_err)
{
    uint32_t *open = malloc((m->n + 1) * sizeof(*open));
    size_t begin = 0;
    int r = 0;

    c->all = malloc((m->n / 2 + 1) * sizeof(*c->all));
    if (!open || !c->all) {
        free(open);
        return gput__file_fail(-ENOMEM, path, ret_err, "%s", strerror(ENOMEM));
    }
    for (uint32_t block = 0; r == 0 && block < c->n_blocks; block++) {
        size_t end = begin;

        while (end < m->n && m->list[m->order[end]].name == block)
            end++;
        r = pair(c, &c->blocks[block], m, begin, end, path, open, ret_err);
        begin = end;
    }
    free(open);
    return r;
}

static void find_first_and_last(struct gput__calls *c, const struct marks *m)
{
    c->first = c->last = NAN;
    for (size_t i = 0; i < m->n; i++) {
        double t = m->list[i].timestamp;

        c->first = c->first <= t ? c->first : t;
        c->last = c->last >= t ? c->last : t;
    }
}

static void tell_unfinished(const struct gput__calls *c, const char *path,
                            const struct gput_callbacks *on)
{
    const struct gput__block_calls *first = NULL;
    struct gput_error line;
    uint64_t n = 0;
    char name[120];

    for (uint32_t i = 0; i < c->n_blocks; i++) {
        n += c->blocks[i].n_unfinished;
        if (!first && c->blocks[i].n_unfinished)
            first = &c->blocks[i];
    }
    if (!first || !on || !on->warn)
        return;
    gput__text_shown(first->name, strlen(first->name), name, sizeof(name));
    gput__file_fail(0, path, &line, "%llu call%s without a stop %s left out: '%s'%s",
                    (unsigned long long)n, n == 1 ? "" : "s", n == 1 ? "was" : "were", name,
                    n > first->n_unfinished ? " and others" : "");
    on->warn(on->ctx, line.text);
}

int gput__calls_read(struct gput__calls *c, const char *path, double from, double to,
                     const struct gput_callbacks *on, struct gput_error *ret_err)
{
    struct marks m = { 0 };
    int r;

    *c = (struct gput__calls){ .first = NAN, .last = NAN, .from = from, .to = to };
    r = read_marks(&m, &c->names, path, on, ret_err);
    if (r == 0) {
        find_first_and_last(c, &m);
        if (number_blocks(c, &m) < 0 || sort_marks(&m) < 0)
            r = gput__file_fail(-ENOMEM, path, ret_err, "%s", strerror(ENOMEM));
    }
    r = r < 0 ? r : pair_all(c, &m, path, ret_err);
    free(m.list);
    free(m.order);
    if (r == 0)
        tell_unfinished(c, path, on);
    return r;
}

void gput__calls_free(struct gput__calls *c)
{
    free(c->blocks);
    free(c->all);
    gput__names_free(&c->names);
    *c = (struct gput__calls){ .first = NAN, .last = NAN };
}
