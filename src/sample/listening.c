/* listening.c - whether the kernel's process events are worth what they cost. */
#include "sample/listening.h"

#include "base/clock.h"
#include "sample/tree/discover.h"
#include "sample/tree/unwaited.h"

/* Receiving so many events a second of other processes costs more than it saves. */
#define MOST_FOREIGN_BIRTHS 100
#define MOST_WITHOUT_ORPHANS 1000 /* where orphans are found by events only */
#define MOST_DEAF_RECORDS 32
#define DEAF_NS (10 * GPUT__NS_PER_S)

void gput__listening_begin(struct gput__listening *l, struct gput__sampler *s, int64_t now)
{
    *l = (struct gput__listening){ .second_ns = now, .next_deaf = 1 };
    gput__sampler_listen(s);
}

void gput__listening_weigh(struct gput__listening *l, struct gput__sampler *s, int64_t now)
{
    struct gput__tree *tree = &s->tree;

    if (tree->births.events < 0) {
        if (l->deaf_until_ns && now >= l->deaf_until_ns) {
            l->deaf_until_ns = 0;
            gput__sampler_listen(s);
        }
        return;
    }
    if (tree->births.n_foreign > (tree->who.tracker ? MOST_FOREIGN_BIRTHS : MOST_WITHOUT_ORPHANS)) {
        gput__sampler_unlisten(s);
        l->deaf_until_ns = now + DEAF_NS;
    }
    if (now - l->second_ns >= GPUT__NS_PER_S) {
        gput__births_forget_foreign(tree);
        l->second_ns = now;
    }
}

/* While polls are frequent events wait for the next one; in quiet times a birth wakes us, unless only
 * rows are shown. */
int gput__listening_fd(const struct gput__listening *l, const struct gput__sampler *s,
                       const struct gput__schedule *schedule)
{
    if (gput__unwaited_are_busy(&s->tree))
        return s->tree.births.events;
    if (!schedule->is_quiet || l->deaf_records || schedule->no_watch || s->is_frugal)
        return -1;
    return s->tree.births.events;
}

/* Woken by a process that is not the job's, the tracker ignores events until the next record, and
 * longer each time. */
void gput__listening_heard(struct gput__listening *l, bool moved)
{
    if (moved) {
        l->next_deaf = 1;
        return;
    }
    l->deaf_records = l->next_deaf;
    l->next_deaf = l->next_deaf < MOST_DEAF_RECORDS ? l->next_deaf * 2 : MOST_DEAF_RECORDS;
}

void gput__listening_recorded(struct gput__listening *l)
{
    l->deaf_records -= l->deaf_records > 0;
}
