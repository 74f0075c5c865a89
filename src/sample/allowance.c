/* allowance.c - CPU time that something may use: a fixed fraction of the elapsed time. */
#include "sample/allowance.h"

void gput__allowance_begin(struct gput__allowance *b, int64_t now, int64_t share, int64_t most_ns,
                           int64_t first_cost_ns)
{
    *b = (struct gput__allowance){
        .credit_ns = most_ns,
        .credited_ns = now,
        .most_ns = most_ns,
        .cost_ns = first_cost_ns,
        .share = share,
    };
}

void gput__allowance_earn(struct gput__allowance *b, int64_t now)
{
    int64_t most =
        b->most_ns > b->cost_ns ? b->most_ns : b->cost_ns; /* what is expensive is saved up for */

    b->credit_ns += (now - b->credited_ns) / b->share;
    b->credited_ns = now;
    if (b->credit_ns > most)
        b->credit_ns = most;
}

void gput__allowance_spend(struct gput__allowance *b, int64_t now, int64_t cost_ns)
{
    gput__allowance_earn(b, now);
    b->credit_ns -= cost_ns;
    b->cost_ns += (cost_ns - b->cost_ns) / 4;
}

int64_t gput__allowance_wait(const struct gput__allowance *b)
{
    return (b->cost_ns - b->credit_ns) * b->share;
}
