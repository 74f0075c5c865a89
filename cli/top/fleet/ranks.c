/* ranks.c - which ranks are shown, and in which order. */
#include "top/fleet/ranks.h"

#include "top/rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *top_rank_state(const struct gput_fleet_rank *r)
{
    static const char *const words[GPUT_RANK_STATES] = {
        [GPUT_RANK_MISSING] = "missing", [GPUT_RANK_FAILED] = "failed",
        [GPUT_RANK_SILENT] = "silent",   [GPUT_RANK_RUNNING] = "running",
        [GPUT_RANK_ENDED] = "ended",
    };

    return words[r->state];
}

static bool has_word(const struct gput_fleet_rank *r, const char *word)
{
    return top_name_has(r->node, word) || top_name_has(top_rank_state(r), word);
}

/* By the number: the list of a job is in the order of states already. */
static int by_number(const void *a, const void *b)
{
    const struct gput_fleet_rank *x = *(const struct gput_fleet_rank *const *)a;
    const struct gput_fleet_rank *y = *(const struct gput_fleet_rank *const *)b;

    return x->rank != y->rank ? (x->rank > y->rank) - (x->rank < y->rank)
                              : strverscmp(x->node, y->node);
}

#define ORDER(name, member)                                                                        \
    static int name(const void *a, const void *b)                                                  \
    {                                                                                              \
        const struct gput_fleet_rank *x = *(const struct gput_fleet_rank *const *)a;               \
        const struct gput_fleet_rank *y = *(const struct gput_fleet_rank *const *)b;               \
        int order = top_most_first(x->member, y->member);                                          \
                                                                                                   \
        return order ? order : by_number(a, b);                                                    \
    }
ORDER(by_cpu, cpu_percent)
ORDER(by_memory, ram_peak)
ORDER(by_time, elapsed)

int top_ranks_make(const struct gput_fleet_job *job, const struct top_rank_wish *wish,
                   const struct gput_fleet_rank **ret)
{
    static int (*const orders[])(const void *, const void *) = {
        [TOP_RANKS_BY_NUMBER] = by_number,
        [TOP_RANKS_BY_CPU] = by_cpu,
        [TOP_RANKS_BY_MEMORY] = by_memory,
        [TOP_RANKS_BY_TIME] = by_time,
    };
    int n = 0;

    for (int i = 0; i < job->n_ranks; i++)
        if (!wish->filter[0] || has_word(&job->ranks[i], wish->filter))
            ret[n++] = &job->ranks[i];
    if (wish->order != TOP_RANKS_BY_STATE && n)
        qsort(ret, (size_t)n, sizeof(*ret), orders[wish->order]);
    return n;
}

int top_ranks_search(const struct gput_fleet_rank *const *ranks, int n, int from, const char *word)
{
    char *end;
    long number = strtol(word, &end, 10);
    bool is_number = end != word && !*end;

    for (int i = 0; i < n; i++) {
        int at = (from + i) % n;

        if (is_number ? ranks[at]->rank == number : has_word(ranks[at], word))
            return at;
    }
    return -1;
}
