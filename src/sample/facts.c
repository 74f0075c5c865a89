/* facts.c - what a sampler knows of the job beside its samples. */
#include "sample/facts.h"

#include <math.h>
#include <stdio.h>
#include <unistd.h>

#include "base/clock.h"

/* --- processes ------------------------------------------------------------------------------- */

bool gput__sampler_main_is_alive(const struct gput__sampler *s)
{
    const struct gput__task *task = gput__tree_main(&s->tree);

    return task && gput__task_is_alive(task);
}

bool gput__sampler_has(const struct gput__sampler *s, pid_t pid)
{
    return gput__tree_find(&s->tree, pid) != NULL;
}

bool gput__sampler_owns(const struct gput__sampler *s, pid_t pid)
{
    for (int depth = 0; depth < 64 && pid > 1; depth++) {
        struct gput__proc_stat st;

        if (gput__tree_find(&s->tree, pid) || pid == getpid())
            return true;
        if (gput__tree_read_stat(&s->tree, pid, &st) < 0)
            return depth == 0; /* it has just ended */
        pid = st.ppid;
    }
    return false;
}

int gput__sampler_descendants(const struct gput__sampler *s, pid_t *ret_pids, int max)
{
    const struct gput__tree *tree = &s->tree;
    int n = 0;

    for (uint32_t i = 0; i < tree->n; i++) {
        if (tree->tasks[i].is_main || !gput__task_is_alive(&tree->tasks[i]))
            continue;
        if (n < max)
            ret_pids[n] = tree->tasks[i].pid;
        n++;
    }
    return n;
}

static void describe(const struct gput__tree *tree, const struct gput__task *t,
                     struct gput_live_process *ret)
{
    uint32_t slot = t->command.slot;
    bool has_name = slot && slot <= tree->commands.n;

    *ret = (struct gput_live_process){
        .pid = t->pid,
        .ppid = t->life.ppid,
        .state = t->life.state,
        .n_threads = (int)t->life.threads,
        .cpu_seconds = gput__seconds((int64_t)gput__count_used(&t->cpu.own_ns)),
        .rss = gput__task_has_pages(t) ? (double)t->ram.rss : 0,
        .pss = NAN,
        .age = gput__seconds(tree->poll.at_ns - t->born_ns),
    };
    if (gput__task_has_pages(t) && t->account.is_open)
        ret->pss = (double)gput__account_now(tree, t).low;
    snprintf(ret->name, sizeof(ret->name), "%s",
             has_name ? tree->commands.list[slot - 1].name : t->command.comm);
}

int gput__sampler_processes(const struct gput__sampler *s, struct gput_live_process *ret, int max)
{
    const struct gput__tree *tree = &s->tree;
    int n = 0;

    for (uint32_t i = 0; i < tree->n; i++) {
        if (!gput__task_is_alive(&tree->tasks[i]))
            continue;
        if (n < max)
            describe(tree, &tree->tasks[i], &ret[n]);
        n++;
    }
    return n;
}

/* --- watching -------------------------------------------------------------------------------- */

struct gput__last_poll gput__sampler_last_poll(const struct gput__sampler *s)
{
    return (struct gput__last_poll){
        .at_ns = s->tree.poll.at_ns,
        .scan_cost_ns = s->tree.births.scan_cost_ns,
        .moved = s->tree.poll.moved,
        .wants_more = gput__memory_wants_polls(&s->memory),
    };
}

struct gput__effort gput__sampler_effort(const struct gput__sampler *s)
{
    return (struct gput__effort){
        .n_polls = s->last.n_polls,
        .n_scans = s->memory.scanned.n_scans,
        .n_hidden = s->memory.scanned.n_hidden,
        .has_events = s->tree.births.events >= 0,
    };
}

int gput__sampler_scan_fd(const struct gput__sampler *s)
{
    return s->memory.under_way ? gput__memscanner_fd(s->memory.scanner) : -1;
}

/* --- memory ---------------------------------------------------------------------------------- */

/* The kernel counts pages per core: a high-water mark may be off by what the cores have not added. */
static uint64_t uncertainty(const struct gput__sampler *s)
{
    uint64_t cores = s->n_cores, batch = cores * 2 > 32 ? cores * 2 : 32;

    return 2 * cores * batch * s->tree.page;
}

struct gput__peaks gput__sampler_peaks(const struct gput__sampler *s)
{
    return (struct gput__peaks){
        .main = s->memory.peak[GPUT__MAIN],
        .descendants = s->memory.peak[GPUT__DESCENDANTS],
        .orphan = s->tree.dead.largest_rss,
        .probed = s->memory.count.peak,
        .uncertainty = uncertainty(s),
    };
}

struct gput__lap_facts gput__sampler_lap(const struct gput__sampler *s)
{
    const struct gput__task *main_task = gput__tree_main(&s->tree);
    uint64_t mark = s->memory.lap_peak[GPUT__MAIN];

    if (!main_task)
        return (struct gput__lap_facts){ 0 };
    return (struct gput__lap_facts){
        .main_rss = main_task->ram.rss,
        .main_mark = mark > main_task->ram.base_hwm ? mark : 0,
        .main_before = main_task->ram.base_hwm,
        .probed = s->memory.count.lap_peak,
        .waited_faults = main_task->ram.waited_faults,
    };
}

struct gput__ram_bounds gput__sampler_ram_bounds(const struct gput__sampler *s,
                                                 enum gput__group group)
{
    const struct gput__memory *m = &s->memory;

    return (struct gput__ram_bounds){ m->at_least[group], m->told[group], m->at_most[group] };
}

uint64_t gput__sampler_mapped_files(const struct gput__sampler *s)
{
    const struct gput__tree *tree = &s->tree;
    uint64_t sum = 0;

    for (uint32_t i = 0; i < tree->n; i++)
        if (tree->tasks[i].ram.rss > tree->tasks[i].ram.anon)
            sum += tree->tasks[i].ram.rss - tree->tasks[i].ram.anon;
    return sum;
}

/* --- CPU time and what goes with it ---------------------------------------------------------- */

/* Time of processes whose parent never waited for them is what was last seen of it. */
static bool has_losses(const struct gput__tree *tree)
{
    const struct gput__task *main_task = gput__tree_main(tree);

    return tree->dead.lost_ns > 0 ||
           (main_task && main_task->cpu.vanished_ns > gput__count_used(&main_task->cpu.waited_ns));
}

struct gput__cpu_doubts gput__sampler_cpu_doubts(const struct gput__sampler *s)
{
    const struct gput__tree *tree = &s->tree;

    return (struct gput__cpu_doubts){
        .guessed_ns = tree->dead.guessed_ns,
        .may_guess = tree->dead.guessed_ns > 0 || tree->unwaited.is_wanted,
        .has_losses = has_losses(tree),
        .has_helpers = tree->helpers.n || tree->helpers.used.waited_ns,
    };
}

/* What wait4 has not returned yet. */
static void add_living(const struct gput__tree *tree, bool with_main, struct gput__totals *ret)
{
    double tick_s = gput__seconds(tree->tick_ns);

    for (uint32_t i = 0; i < tree->n; i++) {
        const struct gput__task *task = &tree->tasks[i];

        if (task->is_main && !with_main)
            continue;
        ret->user_s += (double)gput__count_used(&task->cpu.user_ticks) * tick_s;
        ret->system_s += (double)gput__count_used(&task->cpu.system_ticks) * tick_s;
        ret->minor_faults += (double)gput__count_used(&task->cpu.minor);
        ret->major_faults += (double)gput__count_used(&task->cpu.major);
    }
    ret->has_living = ret->user_s + ret->system_s > 0;
}

/* The usage of main from wait4 includes the helpers of other trackers. */
static void leave_out_helpers(const struct gput__cpu_counts *helpers, struct gput__totals *ret)
{
    double ticks = (double)(helpers->user_ticks + helpers->system_ticks);
    double seconds = (double)helpers->waited_ns / 1e9;
    /* Most live for less than a tick: the sum is right, its parts are as the ticks say. */
    double user_part = ticks > 0 ? (double)helpers->user_ticks / ticks : 0.5;

    ret->user_s -= seconds * user_part;
    ret->system_s -= seconds * (1 - user_part);
    ret->minor_faults -= (double)helpers->minor;
    ret->major_faults -= (double)helpers->major;
}

static double seconds_of(const struct timeval *tv)
{
    return (double)tv->tv_sec + (double)tv->tv_usec / 1e6;
}

void gput__sampler_totals(const struct gput__sampler *s, const struct rusage *main_usage,
                          struct gput__totals *ret)
{
    static const struct rusage none;
    const struct rusage *m = main_usage ? main_usage : &none, *orphans = &s->tree.dead.usage;

    *ret = (struct gput__totals){ 0 };
    add_living(&s->tree, !main_usage, ret);
    if (main_usage) /* in the counts of living processes they are subtracted already */
        leave_out_helpers(&s->tree.helpers.used, ret);
    ret->user_s += seconds_of(&m->ru_utime);
    ret->user_s += seconds_of(&orphans->ru_utime);
    ret->system_s += seconds_of(&m->ru_stime);
    ret->system_s += seconds_of(&orphans->ru_stime);
    ret->minor_faults += (double)(m->ru_minflt + orphans->ru_minflt);
    ret->major_faults += (double)(m->ru_majflt + orphans->ru_majflt);
    ret->voluntary_switches = (double)(m->ru_nvcsw + orphans->ru_nvcsw);
    ret->involuntary_switches = (double)(m->ru_nivcsw + orphans->ru_nivcsw);
    ret->blocks_read = (double)(m->ru_inblock + orphans->ru_inblock);
    ret->blocks_written = (double)(m->ru_oublock + orphans->ru_oublock);
}

/* --- who used it ---------------------------------------------------------------------------- */

size_t gput__sampler_commands(const struct gput__sampler *s, struct gput__command *ret, size_t most,
                              struct gput__command *ret_others)
{
    size_t n = gput__commands_now(&s->tree, s->memory.peak[GPUT__MAIN], ret, most, ret_others);

    ret_others->count += s->tree.births.n_missed;
    return n;
}

/* --- the machine ----------------------------------------------------------------------------- */

const struct gput__machine *gput__sampler_machine(const struct gput__sampler *s)
{
    return s->wants_machine ? &s->machine : NULL;
}

bool gput__sampler_wants_extras(const struct gput__sampler *s)
{
    return s->wants_extras;
}
