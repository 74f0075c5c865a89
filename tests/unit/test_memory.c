/* test_memory.c - the memory of main, of its descendants and of both, poll by poll and scan by scan. */
#include "sample/memory/memory.h"

#include "memory_fixture.h"
#include "sample/memory/memory_parts.h"
#include "tap.h"

struct scene {
    struct gput__tree tree;
    struct gput__memory memory;
    struct gput__sample sample;
    int64_t now;
};

static void begin(struct scene *s)
{
    *s = (struct scene){ .now = SINCE + S };
    fixture_begin(&f);
    write_process((struct proc){ .pid = MAIN, .ppid = TRACKER, .rss = 100, .faults = 25600 });
    gput__tree_open(&s->tree, &f.root, TRACKER, SINCE);
    fixture_need(gput__tree_set_main(&s->tree, MAIN, false) == 0, "set_main");
    gput__memory_open(&s->memory, &f.root, &f.root, s->now);
}

static void end(struct scene *s)
{
    gput__memory_close(&s->memory);
    gput__tree_close(&s->tree);
    fixture_end(&f);
}

static void poll_once(struct scene *s)
{
    s->now += S;
    s->sample = (struct gput__sample){ 0 };
    gput__tree_poll(&s->tree, s->now);
    gput__memory_measure(&s->memory, &s->tree, &s->sample);
}

static void scan(struct scene *s)
{
    gput__memory_scan_now(&s->memory, &s->tree);
    gput__memory_measure(&s->memory, &s->tree, &s->sample);
}

static double mb(const struct scene *s, enum gput__metric m)
{
    return s->sample.value[m] / MB;
}

static void forked_workers(void)
{
    struct scene s;

    begin(&s);
    poll_once(&s);
    OK(is(mb(&s, GPUT__MAIN_RAM), 100) && is(mb(&s, GPUT__COMBINED_RAM), 100), "main alone");
    write_process((struct proc){ .pid = 101, .ppid = MAIN, .rss = 100 });
    poll_once(&s);
    OK(is(mb(&s, GPUT__COMBINED_RAM), 100), "a worker that took nothing adds nothing");
    write_process((struct proc){ .pid = 101, .ppid = MAIN, .rss = 120, .faults = 20 * 256 });
    poll_once(&s);
    OK(is(mb(&s, GPUT__COMBINED_RAM), 120), "what it takes counts from its first page on");
    drop(101);
    poll_once(&s);
    OK(is(mb(&s, GPUT__COMBINED_RAM), 100) && is(mb(&s, GPUT__DESCENDANTS_RAM), 0),
       "and goes with it");
    end(&s);
}

static void a_scan(void)
{
    struct scene s;

    begin(&s);
    write_process((struct proc){ .pid = MAIN, .ppid = TRACKER, .rss = 100, .own = 10, .pss = 55 });
    write_process((struct proc){ .pid = 101, .ppid = MAIN, .rss = 110, .own = 20, .pss = 65 });
    poll_once(&s);
    OK(!gput__sample_has(&s.sample, GPUT__COMBINED_SHARED_RAM), "what is shared only a scan tells");
    scan(&s);
    OK(is(mb(&s, GPUT__COMBINED_RAM), 120), "pages that both map count once");
    OK(is(mb(&s, GPUT__COMBINED_PRIVATE_RAM), 30), "each has its own");
    OK(is(mb(&s, GPUT__DESCENDANTS_RAM), 110), "the descendants have all but what is main's alone");
    OK(is(mb(&s, GPUT__COMBINED_SHARED_RAM), 90), "the rest is shared");
    OK(s.memory.scanned.n_scans == 1 && s.memory.scanned.has_full, "it was one scan of all");
    write_process((struct proc){
        .pid = 101, .ppid = MAIN, .rss = 130, .own = 20, .pss = 65, .faults = 5120 });
    poll_once(&s);
    OK(is(mb(&s, GPUT__COMBINED_RAM), 140), "growth since then moves the figure up");
    write_process((struct proc){
        .pid = 101, .ppid = MAIN, .rss = 105, .own = 20, .pss = 65, .faults = 5120 });
    poll_once(&s);
    OK(is(mb(&s, GPUT__COMBINED_RAM), 115), "and what is given back moves it down");
    end(&s);
}

static void bounds(void)
{
    const struct gput__memory *m;
    struct scene s;

    begin(&s);
    m = &s.memory;
    write_process((struct proc){ .pid = 101, .ppid = MAIN, .rss = 100 });
    poll_once(&s);
    write_process((struct proc){ .pid = 101, .ppid = MAIN, .rss = 120, .faults = 50 * 256 });
    poll_once(&s);
    OK(m->at_least[GPUT__COMBINED] <= m->told[GPUT__COMBINED] &&
           m->told[GPUT__COMBINED] <= m->at_most[GPUT__COMBINED],
       "what is told lies between what is certain and what is possible");
    OK(is((double)m->at_least[GPUT__COMBINED] / MB, 120) &&
           is((double)m->at_most[GPUT__COMBINED] / MB, 150),
       "each fault may be a copy, but need not be one");
    OK(is((double)m->peak[GPUT__DESCENDANTS] / MB, 120),
       "a worker's high-water mark counts once it is grown up");
    gput__memory_raise_peak(&s.memory, GPUT__MAIN, (uint64_t)(300 * MB));
    gput__memory_raise_peak(&s.memory, GPUT__MAIN, 1);
    OK(is((double)m->peak[GPUT__MAIN] / MB, 300), "high-water marks only rise");
    end(&s);
}

/* A scan is due, as far as what it would tell goes: two polls that find the same gap. */
static bool is_due(struct scene *s, int64_t now)
{
    struct gput__wish w = gput__plan_wish(&s->tree);

    (void)gput__plan_is_due(&s->memory, &s->tree, &w, now);
    return gput__plan_is_due(&s->memory, &s->tree, &w, now);
}

static void the_allowance(void)
{
    struct gput__scan_plan *plan;
    struct scene s;

    begin(&s);
    plan = &s.memory.plan;
    write_process((struct proc){ .pid = 101, .ppid = MAIN, .rss = 150, .faults = 50 * 256 });
    poll_once(&s);
    OK(is_due(&s, s.now), "the first scan is paid for in advance");
    gput__memscanner_scan(s.memory.scanner)->cost_ns = plan->allowance.credit_ns + S / 500;
    gput__plan_pay(&s.memory, s.now);
    OK(!is_due(&s, s.now + S - 1), "one that took more than there was is paid off first");
    OK(is_due(&s, s.now + 2 * S), "at one part in 500 of the time that passes");
    gput__memory_leave_scans(&s.memory);
    OK(!is_due(&s, s.now + 100 * S), "none is due where they are left to others");
    end(&s);
}

int main(void)
{
    has_smaps = true;
    forked_workers();
    a_scan();
    bounds();
    the_allowance();
    return DONE();
}
