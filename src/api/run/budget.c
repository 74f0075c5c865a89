/* budget.c - the budget of a run: judged whenever its figures are asked for, and while it runs where a
 * job that has passed it is to be ended. */
#include "model/budget.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>

#include "api/tracker.h"
#include "base/clock.h"
#include "model/figure.h"

/* All figures are made each time: not at every poll. */
#define PAUSE_NS (20 * GPUT__NS_PER_MS)

struct gput__run_budget {
    struct gput__budget asked;
    struct gput_budget_line lines[GPUT__BUDGET_LINES]; /* what the last usage points to */
    int64_t longest_ns; /* the least limit of wall time; INT64_MAX: none */
    int64_t next_ns;    /* not to be judged before; */
    bool is_waiting;    /* then it is */
};

/* That of wall time is passed while nothing else happens. */
static int64_t longest(const struct gput__budget *b)
{
    int64_t ret = INT64_MAX;

    for (int i = 0; i < b->n; i++) {
        const struct gput__budget_limit *l = &b->limit[i];

        if (l->named == GPUT__NAMED_WALL_TIME && !l->is_least && l->limit < 1e9 &&
            (int64_t)(l->limit * 1e9) < ret)
            ret = (int64_t)(l->limit * 1e9) + 1;
    }
    return ret;
}

int gput__budget_open(struct gput_tracker *t, struct gput_error *ret_err)
{
    char why[sizeof(((struct gput_error *)NULL)->text)];
    struct gput__run_budget *b;
    int r;

    if (!t->opts.budget)
        return t->opts.flags & GPUT_KILL_OVER_BUDGET
                   ? gput__refuse(ret_err, -EINVAL, "kill_over_budget", "there is no budget")
                   : 0;
    b = calloc(1, sizeof(*b));
    if (!b)
        return gput__refuse(ret_err, -ENOMEM, "", "out of memory");
    r = gput__budget_parse(t->opts.budget, &b->asked, why, sizeof(why));
    if (r < 0) {
        free(b);
        return gput__refuse(ret_err, r, "budget", "%s", why);
    }
    b->longest_ns = longest(&b->asked);
    t->lists.budget = b;
    return 0;
}

void gput__budget_close(struct gput_tracker *t)
{
    free(t->lists.budget);
    t->lists.budget = NULL;
}

bool gput__budget_needs_all(const struct gput_tracker *t)
{
    return t->lists.budget && gput__budget_wants_all(&t->lists.budget->asked);
}

void gput__budget_fill(const struct gput_tracker *t, struct gput_usage *u)
{
    struct gput__run_budget *b = t->lists.budget;

    if (!b)
        return;
    for (int i = 0; i < b->asked.n; i++)
        b->lines[i] = gput__budget_judge(&b->asked.limit[i], u);
    u->budget.lines = b->lines;
    u->budget.n_lines = b->asked.n;
    u->budget.ended_job = t->stop.is_over_budget;
}

/* --- while it runs --------------------------------------------------------------------------- */

static bool is_watched(const struct gput_tracker *t)
{
    return t->lists.budget && (t->opts.flags & GPUT_KILL_OVER_BUDGET) && !t->stop.kill_at_ns &&
           !t->end.at_ns;
}

int64_t gput__budget_due(const struct gput_tracker *t)
{
    int64_t time_is_up = INT64_MAX;

    if (!is_watched(t))
        return INT64_MAX;
    if (t->lists.budget->longest_ns < INT64_MAX)
        time_is_up = t->job.start_ns + t->lists.budget->longest_ns;
    return t->lists.budget->is_waiting && t->lists.budget->next_ns < time_is_up
               ? t->lists.budget->next_ns
               : time_is_up;
}

/* What is not known yet is judged at the end. */
static bool has_passed(const struct gput_usage *u)
{
    for (int i = 0; i < u->budget.n_lines; i++) {
        const struct gput_budget_line *line = &u->budget.lines[i];

        if (line->is_hard && gput__figure_is_known(line->measured) && !line->is_met)
            return true;
    }
    return false;
}

/* On its own, because a usage is large: a tick without a budget touches none of it. */
static bool is_over(const struct gput_tracker *t)
{
    struct gput_usage u = { .size = sizeof(u) };

    return gput_tracker_usage(t, &u) == 0 && has_passed(&u);
}

void gput__budget_watch(struct gput_tracker *t, int64_t now)
{
    if (!is_watched(t))
        return;
    t->lists.budget->is_waiting = now < t->lists.budget->next_ns;
    if (t->lists.budget->is_waiting)
        return;
    t->lists.budget->next_ns = now + PAUSE_NS;
    if (is_over(t))
        gput__stop_over_budget(t, now);
}
