/* control.c - what the owner of a sampler sets between samples. */
#include "sample/control.h"

#include <signal.h>

#include "sample/commands/commands.h"
#include "sample/memory/rss.h"
#include "sample/tree/asleep.h"
#include "sample/tree/discover.h"
#include "sample/tree/unwaited.h"

/* --- beginning ------------------------------------------------------------------------------- */

bool gput__sampler_is_open(const struct gput__sampler *s)
{
    return s->n_cores > 0;
}

void gput__sampler_want_job(struct gput__sampler *s, bool main_only)
{
    s->wants_job = true;
    gput__job_begin(&s->job, main_only);
}

void gput__sampler_want_extras(struct gput__sampler *s)
{
    s->wants_extras = true;
}

void gput__sampler_be_frugal(struct gput__sampler *s)
{
    s->is_frugal = true;
}

void gput__sampler_use_helper_program(struct gput__sampler *s, const struct gput__finder *program)
{
    s->helper_program = *program;
}

void gput__sampler_set_blind(struct gput__sampler *s, const char *why)
{
    s->blind = true;
    s->blind_why = why;
}

void gput__sampler_begin_machine(struct gput__sampler *s, int64_t now)
{
    gput__sampler_set_blind(s, "there is no process to poll");
    gput__tree_open(&s->tree, &s->proc, 0, now);
}

void gput__sampler_leave_alone(struct gput__sampler *s, bool no_watch)
{
    gput__memory_set_unwatched(&s->memory, no_watch);
}

/* --- while it runs --------------------------------------------------------------------------- */

void gput__sampler_discover(struct gput__sampler *s, int64_t now)
{
    if (!s->blind)
        gput__tree_discover(&s->tree, now);
}

void gput__sampler_search(struct gput__sampler *s)
{
    gput__tree_recheck(&s->tree);
    gput__tree_scan_freely(&s->tree);
}

void gput__sampler_begin_lap(struct gput__sampler *s)
{
    for (uint32_t i = 0; i < s->tree.n; i++)
        if (gput__task_is_alive(&s->tree.tasks[i]))
            gput__rss_begin_lap(&s->tree, &s->tree.tasks[i]);
    gput__memory_begin_lap(&s->memory);
}

bool gput__sampler_sleep(struct gput__sampler *s, bool may_sleep)
{
    return gput__asleep_see(&s->tree, may_sleep);
}

void gput__sampler_wake(struct gput__sampler *s)
{
    gput__asleep_wake(&s->tree);
}

void gput__sampler_signal_descendants(const struct gput__sampler *s, int sig)
{
    const struct gput__tree *tree = &s->tree;

    for (uint32_t i = 0; i < tree->n; i++)
        if (!tree->tasks[i].is_main && gput__task_is_alive(&tree->tasks[i]))
            (void)kill(tree->tasks[i].pid, sig);
}

void gput__sampler_measure_job(struct gput__sampler *s, struct gput__sample *ret)
{
    if (s->wants_job && !s->blind)
        gput__job_measure(&s->job, &s->memory, &s->tree, ret);
}

void gput__sampler_measure_gpus(struct gput__sampler *s, struct gput__gpus *g,
                                struct gput__gpu_share *share, struct gput__sample *ret)
{
    gput__gpu_share_update(share, g, &s->tree, ret);
    for (unsigned i = 0; i < share->n_users; i++)
        gput__command_see_gpu(&s->tree, share->users[i].pid, share->users[i].max_memory);
}

/* --- the end --------------------------------------------------------------------------------- */

void gput__sampler_reaped(struct gput__sampler *s, pid_t pid, const struct rusage *usage)
{
    gput__tree_reaped(&s->tree, pid, usage);
}

void gput__sampler_drop_descendants(struct gput__sampler *s)
{
    gput__tree_drop_descendants(&s->tree);
}

void gput__sampler_end(struct gput__sampler *s, struct gput__sample *ret)
{
    gput__unwaited_end(&s->tree);
    if (s->wants_machine)
        gput__machine_finish(&s->machine);
    gput__sampler_system(s, ret);
    gput__extras_repeat(&s->extras, ret);
    if (s->wants_extras && !s->blind)
        gput__delays_tell(&s->extras.delays, (double)s->tree.tick_ns / 1e9, ret);
}

/* --- one moment, without a run --------------------------------------------------------------- */

int gput__sampler_once(struct gput__sampler *s, pid_t pid, int64_t now, struct gput__sample *ret)
{
    int r = gput__sampler_begin(s, pid, 0, false, 0);

    if (r < 0)
        return r;
    gput__memory_leave_scans(&s->memory); /* the caller makes the scan */
    gput__sampler_poll(s, now, ret);
    gput__memory_scan_now(&s->memory, &s->tree);
    gput__job_measure(&s->job, &s->memory, &s->tree, ret);
    return 0;
}

/* What the interfaces that count show, since each is there. */
static void set_network(const struct gput__devices *nets, struct gput__sample *ret)
{
    double in = 0, out = 0;

    for (size_t i = 0; i < nets->n; i++) {
        in += nets->list[i].counts ? (double)nets->list[i].now[GPUT__BYTES_IN] : 0;
        out += nets->list[i].counts ? (double)nets->list[i].now[GPUT__BYTES_OUT] : 0;
    }
    gput__sample_set(ret, GPUT__NET_RECEIVED, in);
    gput__sample_set(ret, GPUT__NET_SENT, out);
}

int gput__sampler_describe_machine(struct gput__sampler *s, int64_t timeout_ns,
                                   struct gput__sample *ret,
                                   struct gput__machine_details *ret_details)
{
    int r;

    gput__machine_read(&s->machine, ret);
    r = gput__machine_describe(&s->machine, timeout_ns, ret_details);
    if (r == 0)
        set_network(&s->machine.nets, ret);
    return r;
}
