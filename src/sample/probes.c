/* probes.c - cheap checks between polls. */
#include "sample/probes.h"

#include "base/clock.h"
#include "sample/tree/unwaited.h"

/* Each is made this often, or so rarely that it takes 1/SHARE of the time. */
#define UNWAITED_EVERY_NS (4 * GPUT__NS_PER_MS)
#define UNWAITED_SHARE 300
#define MEMORY_EVERY_NS (8 * GPUT__NS_PER_MS)
#define MEMORY_SHARE 1200
#define LONGEST_MEMORY_NS (25 * GPUT__NS_PER_MS)

static int64_t unwaited_due(const struct gput__probes *p, const struct gput__sampler *s)
{
    if (!gput__unwaited_are_busy(&s->tree))
        return INT64_MAX;
    return s->tree.poll.at_ns +
           (p->unwaited_pause_ns > UNWAITED_EVERY_NS ? p->unwaited_pause_ns : UNWAITED_EVERY_NS);
}

static int64_t memory_due(const struct gput__probes *p, const struct gput__sampler *s)
{
    if (!s->tree.poll.moved || !gput__memory_wants_probes(&s->memory))
        return INT64_MAX;
    return s->memory.count.probed_ns +
           (p->memory_pause_ns > MEMORY_EVERY_NS ? p->memory_pause_ns : MEMORY_EVERY_NS);
}

int64_t gput__probes_due(const struct gput__probes *p, const struct gput__sampler *s)
{
    int64_t unwaited = unwaited_due(p, s), memory = memory_due(p, s);

    return unwaited < memory ? unwaited : memory;
}

/* How long to wait after something that took `spent`, so that it takes 1/share of the time. */
static void adapt(int64_t *pause_ns, int64_t spent, int64_t share)
{
    *pause_ns += (spent * share - *pause_ns) / 4;
}

void gput__probes_make(struct gput__probes *p, struct gput__sampler *s, int64_t now)
{
    int64_t begin = gput__clock_ns(CLOCK_THREAD_CPUTIME_ID), end;

    if (memory_due(p, s) <= now) {
        gput__memory_probe(&s->memory, now);
        end = gput__clock_ns(CLOCK_THREAD_CPUTIME_ID);
        adapt(&p->memory_pause_ns, end - begin, MEMORY_SHARE);
        if (p->memory_pause_ns > LONGEST_MEMORY_NS)
            p->memory_pause_ns = LONGEST_MEMORY_NS;
        if (unwaited_due(p, s) > now)
            return;
        begin = end;
    }
    gput__unwaited_probe(&s->tree); /* they were due, or a process is new */
    end = gput__clock_ns(CLOCK_THREAD_CPUTIME_ID);
    adapt(&p->unwaited_pause_ns, end - begin, UNWAITED_SHARE);
}
