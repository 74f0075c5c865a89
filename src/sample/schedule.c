/* schedule.c - when to record and when to poll in between. */
#include "sample/schedule.h"

#include "base/clock.h"

/* Enough for some polls in quick succession when a job or a burst of activity begins. */
#define MOST_CREDIT_NS (8 * GPUT__NS_PER_MS)
/* At the very beginning, when a job may be over at once; and then. */
#define SHORTEST_NS (2 * GPUT__NS_PER_MS)
#define BEGINNING_NS (100 * GPUT__NS_PER_MS)
#define SHORT_NS (8 * GPUT__NS_PER_MS)
/* With that much less to spend it has to last: a few polls in each tenth of a second. */
#define FRUGAL_SHORTEST_NS (20 * GPUT__NS_PER_MS)
#define QUIET_AFTER_NS (250 * GPUT__NS_PER_MS)
#define QUIET_NS (100 * GPUT__NS_PER_MS)
#define ASLEEP_NS (2 * GPUT__NS_PER_S)
#define CALM_PART 2
#define LONGEST_CALM_NS (100 * GPUT__NS_PER_MS)
#define FIRST_COST_NS (60 * 1000)

void gput__schedule_begin(struct gput__schedule *s, int64_t now, int64_t period_ns, bool no_watch)
{
    *s = (struct gput__schedule){
        .begin_ns = now,
        .start_ns = now,
        .period_ns = period_ns,
        .next_record_ns = now + period_ns,
        .next_poll_ns = no_watch ? INT64_MAX : now + SHORTEST_NS,
        .moved_ns = now,
        .shortest_ns = SHORTEST_NS,
        .share = GPUT__WATCH_SHARE,
        .no_watch = no_watch,
    };
    gput__allowance_begin(&s->polls, now, GPUT__WATCH_SHARE, MOST_CREDIT_NS, FIRST_COST_NS);
}

void gput__schedule_be_frugal(struct gput__schedule *s)
{
    s->is_frugal = true;
    s->share = s->polls.share = GPUT__FRUGAL_SHARE;
    s->shortest_ns = FRUGAL_SHORTEST_NS;
}

void gput__schedule_poll_more(struct gput__schedule *s, bool is_lively)
{
    s->polls.share = is_lively ? s->share / 3 : s->share;
}

void gput__schedule_align(struct gput__schedule *s, int64_t now, int64_t grid_ns)
{
    int64_t earliest = now + s->period_ns / 2;

    /* The grid may lie decades back: not by steps. */
    if (grid_ns < earliest)
        grid_ns += (earliest - grid_ns + s->period_ns - 1) / s->period_ns * s->period_ns;
    s->next_record_ns = grid_ns;
    s->start_ns = grid_ns - s->period_ns;
}

int64_t gput__schedule_next(const struct gput__schedule *s)
{
    return s->next_poll_ns < s->next_record_ns ? s->next_poll_ns : s->next_record_ns;
}

bool gput__schedule_record_due(const struct gput__schedule *s, int64_t now)
{
    return now >= s->next_record_ns;
}

/* Of a job of thousands even a poll that finds nothing costs some milliseconds. */
static int64_t quiet_pause(const struct gput__schedule *s)
{
    int64_t wait = gput__allowance_wait(&s->polls), least = s->is_asleep ? ASLEEP_NS : QUIET_NS;

    return wait > least ? wait : least;
}

void gput__schedule_recorded(struct gput__schedule *s, int64_t now)
{
    int64_t periods = (now - s->start_ns) / s->period_ns + 1;

    s->next_record_ns = s->start_ns + periods * s->period_ns;
    /* It has polled a job that will wake us: the next such poll is not needed before ASLEEP_NS. */
    if (s->is_asleep && s->is_quiet && s->next_poll_ns < INT64_MAX)
        s->next_poll_ns = now + quiet_pause(s);
}

/* How long until the credit covers one more poll; and the longer nothing has moved, the longer. */
static int64_t pause(const struct gput__schedule *s, int64_t now)
{
    int64_t wait = gput__allowance_wait(&s->polls);
    int64_t calm = (now - s->moved_ns) / CALM_PART;

    int64_t shortest = s->shortest_ns;

    if (now - s->begin_ns > BEGINNING_NS && shortest < SHORT_NS)
        shortest = SHORT_NS;
    calm = calm < LONGEST_CALM_NS ? calm : LONGEST_CALM_NS;
    wait = wait > calm ? wait : calm;
    return wait > shortest ? wait : shortest;
}

static void plan_poll(struct gput__schedule *s, int64_t now)
{
    s->is_quiet = s->is_asleep || now - s->moved_ns > QUIET_AFTER_NS;
    if (s->no_watch || (s->is_quiet && s->is_frugal))
        s->next_poll_ns = INT64_MAX;
    else
        s->next_poll_ns = now + (s->is_quiet ? quiet_pause(s) : pause(s, now));
}

void gput__schedule_polled(struct gput__schedule *s, int64_t now, int64_t cost_ns, bool moved)
{
    gput__allowance_spend(&s->polls, now, cost_ns);
    if (moved)
        s->moved_ns = now;
    plan_poll(s, now);
}

void gput__schedule_set_asleep(struct gput__schedule *s, int64_t now, bool asleep)
{
    if (asleep == s->is_asleep)
        return;
    s->is_asleep = asleep;
    plan_poll(s, now);
}

void gput__schedule_saw_activity(struct gput__schedule *s, int64_t now)
{
    s->moved_ns = now;
    if (s->is_quiet) {
        s->is_asleep = false;
        gput__allowance_earn(&s->polls, now);
        plan_poll(s, now);
    }
}
