/* ranks.h - which ranks are shown, and in which order. */
#ifndef CLI_TOP_RANKS_H
#define CLI_TOP_RANKS_H

#include "gput.h"
#include "top/shared/prompt.h"

enum top_rank_order {
    TOP_RANKS_BY_STATE,
    TOP_RANKS_BY_NUMBER,
    TOP_RANKS_BY_CPU,
    TOP_RANKS_BY_MEMORY,
    TOP_RANKS_BY_TIME
};

struct top_rank_wish {
    enum top_rank_order order;
    char filter[TOP_WORD_SIZE]; /* of nodes and states; "" */
};

/* Those of a job, at most job->n_ranks of them; returns how many. */
int top_ranks_make(const struct gput_fleet_job *job, const struct top_rank_wish *wish,
                   const struct gput_fleet_rank **ret);
/* The next from `from` on, and then from the first one, with that number or word; -1: there is none. */
int top_ranks_search(const struct gput_fleet_rank *const *ranks, int n, int from, const char *word);

/* "running" */
const char *top_rank_state(const struct gput_fleet_rank *r);

#endif
