/* commands.c - who used it: the job's processes by the command that they run. */
#include "sample/commands/commands.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/least.h"
#include "base/names.h"
#include "sample/commands/script.h"
#include "sample/tree/tree.h"

/* So often, and so many in quick succession, a command line is read for the name of a script. */
#define ASK_EVERY_NS (50 * GPUT__NS_PER_MS)
#define MOST_ASKED 20

/* --- the list ------------------------------------------------------------------------------- */

static struct gput__command *command_of(struct gput__commands *c, uint32_t slot)
{
    return slot ? &c->list[slot - 1] : &c->others;
}

/* A gigabyte weighs as much as a second of CPU time. */
static double weight_of(const struct gput__command *c)
{
    return (double)c->cpu_ns + (double)c->max_rss + (double)c->gpu_ram;
}

static void add(struct gput__command *to, const struct gput__command *c)
{
    to->first_ns = to->count && to->first_ns < c->first_ns ? to->first_ns : c->first_ns;
    to->last_ns = to->last_ns > c->last_ns ? to->last_ns : c->last_ns;
    to->count += c->count;
    to->cpu_ns += c->cpu_ns;
    to->max_rss = gput__most(to->max_rss, c->max_rss);
    to->gpu_ram = gput__most(to->gpu_ram, c->gpu_ram);
}

/* The lightest of which nobody is left gives its place; 0: there is none. */
static uint32_t make_place(struct gput__commands *c)
{
    float least = INFINITY;
    uint32_t lightest = 0;

    for (uint32_t i = 0; i < c->n; i++)
        if (c->weight[i] < least) {
            least = c->weight[i];
            lightest = i + 1;
        }
    if (lightest)
        add(&c->others, &c->list[lightest - 1]);
    return lightest;
}

static uint32_t new_place(struct gput__commands *c)
{
    uint32_t cap = c->cap ? (uint32_t)gput__least(2 * c->cap, GPUT__MOST_COMMANDS) : 16;
    struct gput__command *more;

    if (c->n == GPUT__MOST_COMMANDS)
        return make_place(c);
    if (c->n == c->cap) {
        more = realloc(c->list, cap * sizeof(*more));
        if (!more)
            return make_place(c);
        c->list = more;
        c->cap = cap;
    }
    return ++c->n;
}

static uint32_t find(struct gput__commands *c, const char *name)
{
    uint32_t slot, hash = gput__hash(name, strlen(name));

    for (uint32_t i = 0; i < c->n; i++)
        if (c->hash[i] == hash && strcmp(c->list[i].name, name) == 0)
            return i + 1;
    slot = new_place(c);
    if (slot) {
        struct gput__command *new = &c->list[slot - 1];

        *new = (struct gput__command){ 0 };
        snprintf(new->name, sizeof(new->name), "%s", name);
        c->hash[slot - 1] = hash;
    }
    return slot;
}

void gput__commands_close(struct gput__tree *tree)
{
    free(tree->commands.list);
    tree->commands = (struct gput__commands){ 0 };
}

/* --- its name ------------------------------------------------------------------------------- */

static int64_t first_seen(const struct gput__tree *tree, const struct gput__task *t)
{
    return t->born_ns > tree->who.since_ns ? t->born_ns : tree->who.since_ns;
}

static void join(struct gput__tree *tree, struct gput__task *t, uint32_t slot)
{
    struct gput__command *c = command_of(&tree->commands, slot);
    int64_t first = first_seen(tree, t);

    c->first_ns = c->count && c->first_ns < first ? c->first_ns : first;
    c->last_ns = c->last_ns > first ? c->last_ns : first;
    c->count++;
    c->n_alive++;
    t->command.slot = slot;
    if (slot)
        tree->commands.weight[slot - 1] = INFINITY;
}

/* Of one less of its processes is to be heard; with the last one it may be weighed. */
static void lose_one(struct gput__commands *all, uint32_t slot)
{
    struct gput__command *c = command_of(all, slot);

    c->n_alive--;
    if (slot && c->n_alive == 0)
        all->weight[slot - 1] = (float)weight_of(c);
}

static void leave(struct gput__tree *tree, struct gput__task *t)
{
    struct gput__command *c = command_of(&tree->commands, t->command.slot);

    c->count--;
    lose_one(&tree->commands, t->command.slot);
}

/* One that nobody ran but processes before they called exec is none. */
static void rename_to(struct gput__tree *tree, struct gput__task *t, const char *name)
{
    uint32_t before = t->command.slot;

    if (before && strcmp(command_of(&tree->commands, before)->name, name) == 0)
        return;
    leave(tree, t);
    join(tree, t, find(&tree->commands, name));
}

static bool may_ask(struct gput__tree *tree)
{
    struct gput__commands *c = &tree->commands;
    int64_t now = tree->poll.at_ns, earliest = now - MOST_ASKED * ASK_EVERY_NS;

    c->may_ask_ns = c->may_ask_ns > earliest ? c->may_ask_ns : earliest;
    if (c->may_ask_ns > now)
        return false;
    c->may_ask_ns += ASK_EVERY_NS;
    return true;
}

/* An interpreter is told by its script. */
static void ask_for_script(struct gput__tree *tree, struct gput__task *t)
{
    char file[32], line[1024], name[sizeof(tree->commands.others.name)];
    ssize_t n;

    if (!t->life.is_past_exec || t->life.is_starting || !may_ask(tree))
        return;
    t->command.wants_script = false;
    snprintf(file, sizeof(file), "%d/cmdline", t->pid);
    n = gput__root_read(tree->proc, file, line, sizeof(line));
    if (n > 0 && gput__script_name(t->command.comm, line, (size_t)n, name, sizeof(name)))
        rename_to(tree, t, name);
}

/* A process that was forked runs its parent's command until it calls exec. */
static void open(struct gput__tree *tree, struct gput__task *t, const struct gput__proc_stat *st)
{
    const struct gput__task *parent = gput__tree_find(tree, st->ppid);
    struct gput__task_command *c = &t->command;

    *c = (struct gput__task_command){ .is_open = true, .image = st->startstack };
    memcpy(c->comm, st->comm, sizeof(c->comm));
    if (parent && parent->command.is_open && parent->command.image == st->startstack &&
        strcmp(parent->command.comm, c->comm) == 0) {
        join(tree, t, parent->command.slot);
        return;
    }
    c->wants_script = gput__is_interpreter(c->comm);
    join(tree, t, find(&tree->commands, c->comm));
}

void gput__command_apply_stat(struct gput__tree *tree, struct gput__task *t,
                              const struct gput__proc_stat *st)
{
    struct gput__task_command *c = &t->command;
    bool is_other_image = st->startstack && st->startstack != c->image;

    if (!c->is_open) {
        open(tree, t, st);
    } else if (is_other_image || strcmp(c->comm, st->comm)) {
        c->image = st->startstack ? st->startstack : c->image;
        memcpy(c->comm, st->comm, sizeof(c->comm));
        c->wants_script = gput__is_interpreter(c->comm);
        rename_to(tree, t, c->comm);
    }
    if (c->wants_script)
        ask_for_script(tree, t);
}

/* --- memory --------------------------------------------------------------------------------- */

void gput__command_see_memory(struct gput__tree *tree, const struct gput__task *t)
{
    struct gput__command *c = command_of(&tree->commands, t->command.slot);

    if (!gput__task_has_memory(t))
        return;
    c->max_rss = gput__most(c->max_rss, t->ram.rss);
    if (t->ram.hwm > t->ram.base_hwm)
        c->max_rss = gput__most(c->max_rss, t->ram.hwm);
}

void gput__command_see_gpu(struct gput__tree *tree, pid_t pid, uint64_t bytes)
{
    const struct gput__task *t = gput__tree_find(tree, pid);
    struct gput__command *c = t ? command_of(&tree->commands, t->command.slot) : NULL;

    if (c)
        c->gpu_ram = gput__most(c->gpu_ram, bytes);
}

/* --- CPU time ------------------------------------------------------------------------------- */

static uint64_t used_by(const struct gput__task *t)
{
    return t->command.has_kept ? t->command.kept_ns : gput__count_used(&t->cpu.own_ns);
}

static bool is_leaving(const struct gput__task *t)
{
    return t->life.gone && !t->is_main && !t->life.is_helper;
}

/* What it may have used since its clock was last read. */
static double may_have_used(const struct gput__tree *tree, const struct gput__task *t)
{
    int64_t read = t->command.has_kept ? t->command.kept_at_ns : t->cpu.read_ns;
    int64_t since = tree->poll.at_ns - (read > t->born_ns ? read : t->born_ns);

    if (t->life.state == 'Z' || since <= 0)
        return 0;
    return (double)since * (t->life.threads ? t->life.threads : 1);
}

void gput__command_keep_counts(struct gput__tree *tree, struct gput__task *t,
                               const struct rusage *usage)
{
    struct gput__task_command *c = &t->command;
    double all, most = may_have_used(tree, t);

    c->has_kept = true;
    c->kept_ns = gput__count_used(&t->cpu.own_ns);
    c->kept_at_ns = t->cpu.read_ns;
    if (!usage)
        return;
    all = (double)(usage->ru_utime.tv_sec + usage->ru_stime.tv_sec) * 1e9 +
          (double)(usage->ru_utime.tv_usec + usage->ru_stime.tv_usec) * 1e3;
    c->is_reaped = true;
    c->extra_ns = all - (double)c->kept_ns - (double)c->children_ns;
    c->extra_ns = c->extra_ns < 0 ? 0 : c->extra_ns < most ? c->extra_ns : most;
}

/* Who waited for it, and has its time in the count of children; NULL: nobody of the job. */
static struct gput__task *heir_of(const struct gput__tree *tree, const struct gput__task *t)
{
    return t->command.is_reaped ? NULL : gput__tree_find(tree, t->life.ppid);
}

/* Children stand behind their parents: what was seen, and may have been missed, of whole branches. */
static void add_up_exits(struct gput__tree *tree)
{
    for (uint32_t i = tree->n; i-- > 0;) {
        struct gput__task *t = &tree->tasks[i];
        struct gput__task *heir = is_leaving(t) ? heir_of(tree, t) : NULL;

        if (is_leaving(t))
            t->command.unseen_ns += may_have_used(tree, t);
        if (!heir)
            continue;
        heir->command.unseen_ns += t->command.unseen_ns;
        heir->command.gone_ns += used_by(t) + t->command.children_ns + t->command.gone_ns;
    }
}

/* What a parent has waited for beyond what was seen of its children was used by those that are gone. */
static void find_extra(struct gput__task *t)
{
    struct gput__task_command *c = &t->command;
    double waited = (double)gput__count_used(&t->cpu.waited_ns);
    double extra = waited - (double)c->children_ns - (double)c->gone_ns;

    c->extra_ns = extra < 0 ? 0 : extra < c->unseen_ns ? extra : c->unseen_ns;
    c->children_ns = gput__most(c->children_ns + c->gone_ns, (uint64_t)waited);
}

static void give_extra(struct gput__tree *tree, struct gput__task *t)
{
    const struct gput__task *heir = heir_of(tree, t);
    struct gput__task_command *c = &t->command;
    double own = may_have_used(tree, t);

    if (heir)
        c->extra_ns = heir->command.unseen_ns > 0
                          ? heir->command.extra_ns * c->unseen_ns / heir->command.unseen_ns
                          : 0;
    if (c->unseen_ns > 0)
        command_of(&tree->commands, c->slot)->cpu_ns +=
            (uint64_t)(c->extra_ns * own / c->unseen_ns);
}

void gput__commands_share_out(struct gput__tree *tree)
{
    add_up_exits(tree);
    for (uint32_t i = 0; i < tree->n; i++) {
        struct gput__task *t = &tree->tasks[i];

        if (is_leaving(t))
            give_extra(tree, t);
        else if (t->command.gone_ns || t->command.unseen_ns > 0)
            find_extra(t);
    }
    for (uint32_t i = 0; i < tree->n; i++) {
        tree->tasks[i].command.gone_ns = 0;
        tree->tasks[i].command.unseen_ns = tree->tasks[i].command.extra_ns = 0;
    }
}

void gput__command_account_for_exit(struct gput__tree *tree, struct gput__task *t)
{
    struct gput__command *c = command_of(&tree->commands, t->command.slot);

    if (!t->command.is_open)
        return;
    if (t->life.is_helper) { /* none of the job's */
        leave(tree, t);
        return;
    }
    c->cpu_ns += used_by(t);
    c->last_ns = c->last_ns > tree->poll.at_ns ? c->last_ns : tree->poll.at_ns;
    lose_one(&tree->commands, t->command.slot);
}

/* --- the heaviest --------------------------------------------------------------------------- */

static int by_weight(const void *a, const void *b)
{
    double wa = weight_of(a), wb = weight_of(b);

    return wa < wb   ? 1
           : wa > wb ? -1
                     : strcmp(((const struct gput__command *)a)->name,
                              ((const struct gput__command *)b)->name);
}

size_t gput__commands_now(const struct gput__tree *tree, uint64_t main_rss,
                          struct gput__command *ret, size_t most, struct gput__command *ret_others)
{
    struct gput__command all[GPUT__MOST_COMMANDS];
    struct gput__command others = tree->commands.others;
    size_t n = 0, n_all = tree->commands.n;

    if (n_all)
        memcpy(all, tree->commands.list, n_all * sizeof(*all));
    for (uint32_t i = 0; i < tree->n; i++) {
        const struct gput__task *t = &tree->tasks[i];
        struct gput__command *c = t->command.slot ? &all[t->command.slot - 1] : &others;

        if (!t->command.is_open || t->life.is_helper)
            continue;
        c->cpu_ns += used_by(t);
        c->last_ns = tree->poll.at_ns;
        if (t->is_main)
            c->max_rss = gput__most(c->max_rss, main_rss);
    }
    qsort(all, n_all, sizeof(*all), by_weight);
    for (size_t i = 0; i < n_all; i++) {
        if (!all[i].count)
            continue;
        if (n < most)
            ret[n++] = all[i];
        else
            add(&others, &all[i]);
    }
    *ret_others = others;
    return n;
}
