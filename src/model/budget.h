/* budget.h - what a job may use: figures with limits, "ram=4GB,gpu_util>=50". */
#ifndef GPUT_MODEL_BUDGET_H
#define GPUT_MODEL_BUDGET_H

#include <stdbool.h>
#include <stddef.h>

#include "model/named_figure.h"

enum { GPUT__BUDGET_LINES = 32 };

struct gput__budget_limit {
    char figure[96]; /* a short name or a path of the JSON */
    int named;       /* its place in the table of short names; -1: a path */
    bool is_least;   /* ">=": it must reach the limit, else it may not pass it */
    char asked[32];  /* the limit as it was written */
    double limit;
    enum gput__figure_unit unit;
};

struct gput__budget {
    struct gput__budget_limit limit[GPUT__BUDGET_LINES];
    int n;
};

/* -EINVAL: `ret_why` says which of them is wrong, and how; NULL and "" are no limits. */
int gput__budget_parse(const char *list, struct gput__budget *ret, char *ret_why, size_t size);

/* Whether one of them is known only where everything is measured (GPUT_WANT_ALL). */
bool gput__budget_wants_all(const struct gput__budget *b);

/* Whether a run can pass the limit for good before it has ended: at most so much of what only grows. */
bool gput__budget_is_hard(const struct gput__budget_limit *limit);

/* Of a limit in a run; the strings are the limit's and the usage's. */
struct gput_budget_line gput__budget_judge(const struct gput__budget_limit *limit,
                                           const struct gput_usage *u);

#endif
