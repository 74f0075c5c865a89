/* sweep.c - which records lie inside the calls of which code block, and their statistics.
 *
 * Records come in the order of time.  Starts and stops of all calls are gone through beside them, so
 * that at each record it is known which blocks run.  Records between two changes of that set are
 * gathered; then their statistics go to the whole run and to each block that runs.  A record is
 * looked at once, however many blocks or calls it lies in. */
#include "analysis/sweep.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "base/median.h"

/* As many as the second level cache holds easily. */
enum { MOST_GATHERED = 256 };

struct edge {
    double time;
    uint32_t block;
};

struct gput__sweep {
    struct edge *starts, *stops; /* by time */
    size_t n_calls, n_started, n_stopped;
    uint32_t *running; /* calls of each block */
    uint32_t *active;  /* blocks with such calls */
    uint32_t *at;      /* where each of them stands in `active` */
    uint32_t n_active, n_blocks;
    struct gput__usage_moments overall, *blocks;
    double origin[GPUT__N_MEASURED]; /* of each column: the first record */
    double gathered[GPUT__N_MEASURED][MOST_GATHERED];
    size_t n_gathered;
    double *times; /* of all records */
    size_t n_times, cap_times;
};

static int by_time(const void *a, const void *b)
{
    double x = ((const struct edge *)a)->time, y = ((const struct edge *)b)->time;

    return (x > y) - (x < y);
}

static void fill_edges(struct gput__sweep *s, const struct gput__calls *calls)
{
    size_t n = 0;

    for (uint32_t b = 0; b < calls->n_blocks; b++) {
        for (size_t i = 0; i < calls->blocks[b].n; i++, n++) {
            s->starts[n] = (struct edge){ calls->blocks[b].calls[i].start, b };
            s->stops[n] = (struct edge){ calls->blocks[b].calls[i].stop, b };
        }
    }
    s->n_calls = n;
    qsort(s->starts, n, sizeof(*s->starts), by_time);
    qsort(s->stops, n, sizeof(*s->stops), by_time);
}

int gput__sweep_open(const struct gput__calls *calls, struct gput__sweep **ret)
{
    struct gput__sweep *s = calloc(1, sizeof(*s));
    uint32_t n = calls->n_blocks;

    if (!s)
        return -ENOMEM;
    s->n_blocks = n;
    s->starts = malloc((calls->n + 1) * sizeof(*s->starts));
    s->stops = malloc((calls->n + 1) * sizeof(*s->stops));
    s->running = calloc(n + 1, sizeof(*s->running));
    s->active = calloc(n + 1, sizeof(*s->active));
    s->at = calloc(n + 1, sizeof(*s->at));
    s->blocks = calloc(n + 1, sizeof(*s->blocks));
    if (!s->starts || !s->stops || !s->running || !s->active || !s->at || !s->blocks) {
        gput__sweep_close(s);
        return -ENOMEM;
    }
    fill_edges(s, calls);
    *ret = s;
    return 0;
}

void gput__sweep_close(struct gput__sweep *s)
{
    if (!s)
        return;
    free(s->starts);
    free(s->stops);
    free(s->running);
    free(s->active);
    free(s->at);
    free(s->blocks);
    free(s->times);
    free(s);
}

/* Hands what was gathered to all that it belongs to. */
static void hand_out(struct gput__sweep *s)
{
    for (size_t column = 0; s->n_gathered && column < GPUT__N_MEASURED; column++) {
        struct gput__moments m = { .origin = s->origin[column] };

        gput__moments_add(&m, s->gathered[column], s->n_gathered);
        gput__moments_merge(&s->overall.of[column], &m);
        for (uint32_t i = 0; i < s->n_active; i++)
            gput__moments_merge(&s->blocks[s->active[i]].of[column], &m);
    }
    s->n_gathered = 0;
}

static void one_more(struct gput__sweep *s, uint32_t block)
{
    if (s->running[block]++ > 0)
        return;
    hand_out(s);
    s->at[block] = s->n_active;
    s->active[s->n_active++] = block;
}

static void one_less(struct gput__sweep *s, uint32_t block)
{
    uint32_t last;

    if (--s->running[block] > 0)
        return;
    hand_out(s);
    last = s->active[--s->n_active];
    s->active[s->at[block]] = last;
    s->at[last] = s->at[block];
}

/* To the moment t: calls that have begun by then and have not ended before it run.  Should the
 * clock have been set back, the way goes back.  Starts are undone last and stops first, so that no
 * count falls below zero on the way. */
static void go_to(struct gput__sweep *s, double t)
{
    while (s->n_started < s->n_calls && s->starts[s->n_started].time <= t)
        one_more(s, s->starts[s->n_started++].block);
    while (s->n_stopped > 0 && s->stops[s->n_stopped - 1].time >= t)
        one_more(s, s->stops[--s->n_stopped].block);
    while (s->n_stopped < s->n_calls && s->stops[s->n_stopped].time < t)
        one_less(s, s->stops[s->n_stopped++].block);
    while (s->n_started > 0 && s->starts[s->n_started - 1].time > t)
        one_less(s, s->starts[--s->n_started].block);
}

static int keep_time(struct gput__sweep *s, double t)
{
    if (GPUT__GROW(s->times, s->cap_times, s->n_times + 1) < 0)
        return -ENOMEM;
    s->times[s->n_times++] = t;
    return 0;
}

int gput__sweep_add(struct gput__sweep *s, const double row[GPUT__N_COLUMNS])
{
    double t = row[GPUT__N_MEASURED];

    if (s->n_times == 0)
        memcpy(s->origin, row, sizeof(s->origin));
    if (keep_time(s, t) < 0)
        return -ENOMEM;
    go_to(s, t);
    for (size_t column = 0; column < GPUT__N_MEASURED; column++)
        s->gathered[column][s->n_gathered] = row[column];
    if (++s->n_gathered == MOST_GATHERED)
        hand_out(s);
    return 0;
}

void gput__sweep_finish(struct gput__sweep *s)
{
    size_t i = 1;

    hand_out(s);
    while (i < s->n_times && s->times[i - 1] <= s->times[i])
        i++;
    if (i < s->n_times)
        gput__sort_doubles(s->times, s->n_times);
}

const struct gput__usage_moments *gput__sweep_overall(const struct gput__sweep *s)
{
    return &s->overall;
}

const struct gput__usage_moments *gput__sweep_block(const struct gput__sweep *s, uint32_t block)
{
    return &s->blocks[block];
}

bool gput__sweep_has_record(const struct gput__sweep *s, double start, double stop)
{
    size_t low = 0, high = s->n_times; /* the first record that is not before `start` */

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (s->times[middle] < start)
            low = middle + 1;
        else
            high = middle;
    }
    return low < s->n_times && s->times[low] <= stop;
}

size_t gput__sweep_n_records(const struct gput__sweep *s, double *ret_first, double *ret_last)
{
    if (s->n_times > 0) {
        *ret_first = s->times[0];
        *ret_last = s->times[s->n_times - 1];
    }
    return s->n_times;
}
