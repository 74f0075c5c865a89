/* laps.c - parts of a run that its program chooses: what each used, above what there was. */
#include <fcntl.h>
#include <math.h>
#include <signal.h>

#include "capi.h"

#define MB 1000000.0
/* Larger than what the C library keeps for the next one. */
#define MEMORY ((size_t)64 * 1024 * 1024)

static struct gput_usage lap_of(struct gput_tracker *t)
{
    struct gput_usage u = { .size = sizeof(u) };
    struct gput_error e = { "", "" };

    if (gput_tracker_lap(t, 0, &e) < 0)
        bail("gput_tracker_lap", e.text);
    if (gput_lap_usage(t, &u) < 0)
        bail("gput_lap_usage", "there is none");
    return u;
}

static double ram_of(const struct gput_usage *u)
{
    return u->max_ram.combined.total_rss.value;
}

static double cpu_of(const struct gput_usage *u)
{
    return u->totals.main_cpu_seconds.value + u->totals.descendants_cpu_seconds.value;
}

/* True: the kernel can set it anew. */
static bool set_mark(void)
{
    int fd = open("/proc/self/clear_refs", O_WRONLY | O_CLOEXEC);
    bool done = fd >= 0 && write(fd, "5", 1) == 1;

    if (fd >= 0)
        close(fd);
    return done;
}

static void hold_for_a_moment(size_t size)
{
    char *memory = take(size);

    give_back(memory, size);
}

/* --- memory ---------------------------------------------------------------------------------- */

static void memory(struct gput_tracker *t)
{
    struct gput_usage u;
    char *held;

    (void)lap_of(t);
    held = take(MEMORY);
    u = lap_of(t);
    OK(ram_of(&u) > 0.95 * (double)MEMORY && ram_of(&u) < 1.3 * (double)MEMORY,
       "memory that is taken is the lap's: %.1f MB", ram_of(&u) / MB);
    u = lap_of(t);
    OK(ram_of(&u) < 4 * MB, "and not the next one's, though it is held: %.1f MB", ram_of(&u) / MB);
    give_back(held, MEMORY);
    hold_for_a_moment(2 * MEMORY);
    u = lap_of(t);
    OK(u.max_ram.combined.total_rss.source == GPUT_EXACT && ram_of(&u) > 0.95 * (double)MEMORY,
       "a moment above the high-water mark is seen exactly: %.1f MB", ram_of(&u) / MB);
    (void)lap_of(t);
    hold_for_a_moment(MEMORY);
    u = lap_of(t);
    OK(u.max_ram.combined.total_rss.source == GPUT_SAMPLED, "one below it is sampled");
    if (!set_mark()) {
        OK(true, "the kernel cannot set the mark anew # SKIP");
        return;
    }
    (void)lap_of(t);
    hold_for_a_moment(MEMORY);
    u = lap_of(t);
    OK(u.max_ram.combined.total_rss.source == GPUT_EXACT && ram_of(&u) > 0.95 * (double)MEMORY &&
           ram_of(&u) < 1.3 * (double)MEMORY,
       "unless the mark is set anew: %.1f MB", ram_of(&u) / MB);
    u = usage_of(t);
    WAIT_UNTIL((u = usage_of(t), ram_of(&u) > 1.9 * (double)MEMORY));
    OK(ram_of(&u) > 1.9 * (double)MEMORY, "the run keeps its own peak: %.1f MB", ram_of(&u) / MB);
}

/* --- processes ------------------------------------------------------------------------------- */

static void processes(struct gput_tracker *t)
{
    pid_t stays = fork_or_die(), works, left[4] = { 0 };
    struct gput_usage u;

    if (stays == 0)
        for (;;)
            pause();
    (void)lap_of(t);
    u = lap_of(t);
    OK(u.job.n_left == 0 && u.totals.max_n_processes.value < 1,
       "a process that was there before is neither left nor new");
    works = fork_or_die();
    if (works == 0) {
        burn(0.3);
        _exit(0);
    }
    (void)status_of(works);
    u = lap_of(t);
    OK(cpu_of(&u) > 0.25 && cpu_of(&u) < 0.6 && u.job.n_left == 0,
       "a child's CPU time is the lap's: %.3f s", cpu_of(&u));
    OK(u.totals.max_n_processes.value >= 1, "so is the child");
    u = lap_of(t);
    OK(cpu_of(&u) < 0.1, "and not the next one's: %.3f s", cpu_of(&u));
    works = fork_or_die();
    if (works == 0)
        for (;;)
            pause();
    u = lap_of(t);
    OK(u.job.n_left == 1 && gput_lap_left(t, left, 4) == 1 && left[0] == works,
       "one that lives on is left, and named");
    (void)kill(stays, SIGKILL);
    (void)kill(works, SIGKILL);
    (void)status_of(stays);
    (void)status_of(works);
}

/* --- budgets --------------------------------------------------------------------------------- */

static void budgets(struct gput_tracker *t)
{
    const struct gput_budget_line *lines;
    struct gput_error e = { "", "" };
    struct gput_budget *b = NULL;
    struct gput_figure f;
    struct gput_usage u;
    char *held;
    int n;

    (void)lap_of(t);
    held = take(MEMORY);
    u = lap_of(t);
    OK(gput_budget_open("ram=", &b, &e) == -EINVAL && !b && strstr(e.text, "ram"),
       "what is no budget is refused: %s", e.text);
    OK(gput_budget_open("ram=10MB,cpu=1h,disk_write=1GB", &b, &e) == 0, "a budget by itself");
    n = gput_budget_judge(b, &u, &lines);
    OK(n == 3 && !lines[0].is_met && lines[1].is_met && !lines[2].is_met && lines[2].measured.why,
       "judges a lap; what is not measured of one is broken");
    b = gput_budget_close(b);
    OK(gput_usage_figure(&u, "ram", &f) == 0 && f.value == ram_of(&u) &&
           gput_usage_figure(&u, "max_ram.combined.total_rss", &f) == 0 && f.value == ram_of(&u) &&
           gput_usage_figure(&u, "rams", &f) == -ENOENT,
       "a figure by its name and by its path");
    OK(gput_figure_noise("ram", 100 * MB) == 5 * MB && gput_figure_noise("ram", 1) == MB &&
           isnan(gput_figure_noise("rams", 1)),
       "what two equal runs may differ by");
    give_back(held, MEMORY);
}

/* --- refusals -------------------------------------------------------------------------------- */

static bool child_gets_none(void *ctx)
{
    struct gput_error e = { "", "" };

    return gput_tracker_lap(ctx, 0, &e) == -EINVAL;
}

static void refusals(void)
{
    struct gput_options o = quick();
    struct gput_tracker *t = opened(&o);
    struct gput_error e = { "", "" };

    OK(gput_tracker_lap(t, 0, &e) == -EINVAL, "no lap before the start: %s", e.text);
    if (gput_tracker_start(t, &e) < 0)
        bail("gput_tracker_start", e.text);
    (void)lap_of(t);
    OK(in_child(child_gets_none, t), "nor in a forked child");
    (void)kill(helper_pid(), SIGKILL);
    OK(gput_tracker_lap(t, 0, &e) == -EPIPE, "nor without the helper: %s", e.text);
    (void)gput_tracker_stop(t, 0, &e);
    OK(gput_tracker_lap(t, 0, &e) == -EINVAL, "nor after the end");
    gput_tracker_close(t);
}

int main(void)
{
    struct gput_options o = quick();
    struct gput_tracker *t = started(&o);
    struct gput_error e = { "", "" };

    if (!is_sanitized())
        memory(t);
    processes(t);
    if (!is_sanitized())
        budgets(t);
    OK(gput_tracker_stop(t, 0, &e) == 0, "the run ends as any other");
    gput_tracker_close(t);
    refusals();
    return DONE();
}
