/* result.c - the end of a run: what is said, the result, the exit status. */
#include "run/result.h"

#include "output/exit_codes.h"
#include "output/write.h"
#include "terminal/terminal.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_NAMED = 8 }; /* descendants that are named */

static const struct scale {
    const char *name;
    double size;
} memory[] = { { "bytes", 1 },       { "kilobytes", 1e3 },  { "megabytes", 1e6 },
               { "gigabytes", 1e9 }, { "terabytes", 1e12 }, { NULL, 0 } },
  times[] = {
      { "seconds", 1 }, { "minutes", 60 }, { "hours", 3600 }, { "days", 86400 }, { NULL, 0 }
  };

static bool has_broken_budget(const struct gput_usage *u)
{
    for (int i = 0; i < u->budget.n_lines; i++)
        if (!u->budget.lines[i].is_met)
            return true;
    return false;
}

static int status_of_job(const struct options *o, const struct gput_usage *u)
{
    if (u->job.ending == GPUT_EXITED)
        return u->job.code;
    if (u->job.ending == GPUT_SIGNALED)
        return EXIT_SIGNAL_BASE + u->job.code;
    /* Of a process that was there before nobody but its parent knows more. */
    return o->pid && u->job.ending != GPUT_RUNNING ? 0 : EXIT_TRACKER_FAILED;
}

static bool was_ended_by_us(const struct gput_usage *u)
{
    return u->job.timed_out || u->budget.ended_job;
}

int result_status(const struct options *o, const struct gput_usage *u)
{
    int status;

    if (u->job.timed_out)
        return EXIT_TIMED_OUT;
    if (u->budget.ended_job)
        return EXIT_OVER_BUDGET;
    status = status_of_job(o, u);
    return status == 0 && has_broken_budget(u) ? EXIT_OVER_BUDGET : status;
}

/* The largest unit in which the figure that counts is at least 1. */
static const char *unit_for(double amount, const struct scale *scale)
{
    const char *name = scale->name;

    for (; scale->name && amount >= scale->size; scale++)
        name = scale->name;
    return name;
}

static bool is_auto(const char *unit)
{
    return unit && strcmp(unit, "auto") == 0;
}

void result_choose_units(const struct options *o, struct gput_usage *u)
{
    if (is_auto(o->ram_unit))
        u->ram_unit = unit_for(u->max_ram.combined.total_rss.value, memory);
    if (is_auto(o->gpu_ram_unit))
        u->gpu_ram_unit =
            unit_for(u->max_gpu_ram.combined.value > 0 ? u->max_gpu_ram.combined.value
                                                       : u->max_gpu_ram.system_capacity.value,
                     memory);
    if (is_auto(o->time_unit))
        u->time_unit = unit_for(u->compute_time.time.value, times);
}

static void say_left(const struct gput_tracker *t)
{
    pid_t pids[MAX_NAMED];
    char list[MAX_NAMED * 12 + 40] = "";
    int n = gput_tracker_left(t, pids, MAX_NAMED), used = 0;

    if (n <= 0)
        return;
    for (int i = 0; i < n && i < MAX_NAMED; i++)
        used += snprintf(list + used, sizeof(list) - (size_t)used, " %d", (int)pids[i]);
    if (n > MAX_NAMED)
        snprintf(list + used, sizeof(list) - (size_t)used, " and %d more", n - MAX_NAMED);
    say_bare("Descendants still running:%s", list);
}

/* Who asked for too little wants to know by how much. */
static void say_killed_for_memory(const struct options *o, const struct gput_usage *u)
{
    bool is_main = result_status(o, u) == EXIT_SIGNAL_BASE + SIGKILL;
    bool is_limited = u->limits.memory_cgroup.source != GPUT_UNAVAILABLE;

    if (u->job.oom == GPUT_OOM_NO)
        return;
    say("%s was %skilled for memory: %s %.1f MB", is_main ? "the job" : "a process of the job",
        u->job.oom == GPUT_OOM_PROBABLY ? "probably " : "",
        is_limited ? "the limit of its cgroup is" : "the machine has",
        (is_limited ? u->limits.memory_cgroup : u->limits.memory_host).value / 1e6);
}

/* With --quiet only what is broken. */
static void say_budget(const struct options *o, const struct gput_usage *u)
{
    char words[480];

    for (int i = 0; i < u->budget.n_lines; i++) {
        const struct gput_budget_line *line = &u->budget.lines[i];

        gput_budget_words(line, words, sizeof(words));
        if (!line->is_met)
            say("budget broken: %s", words);
        else if (!o->quiet)
            say_bare("Budget kept: %s", words);
    }
    if (u->budget.ended_job)
        say("the job was ended: it passed its budget (--kill-over-budget)");
}

void result_say(const struct options *o, const struct gput_tracker *t, const struct gput_usage *u)
{
    if (u->job.timed_out)
        say("the job was ended: it ran past --timeout=%g", o->timeout);
    say_killed_for_memory(o, u);
    say_budget(o, u);
    if (o->quiet)
        return;
    say_left(t);
    if (u->job.ending == GPUT_GONE && !o->pid)
        say_bare("Resource tracking complete. The status of the command is not known");
    else if (u->job.ending == GPUT_GONE)
        say_bare("Resource tracking complete. Process %d has ended", o->pid);
    else if (u->job.ending == GPUT_DETACHED)
        say_bare("Resource tracking complete. Process %d goes on", o->pid);
    else
        say_bare("Resource tracking complete. Process completed with status code: %d",
                 was_ended_by_us(u) ? result_status(o, u) : status_of_job(o, u));
}

/* A person reads it, not a program. */
static bool is_on_terminal(const struct options *o, const struct output *output)
{
    return !o->quiet && o->format == GPUT_TEXT && output->way == OUTPUT_DESCRIPTOR &&
           isatty(output->fd);
}

static int count_lines(const char *text)
{
    int n = 0;

    for (; *text; text++)
        n += *text == '\n';
    return n;
}

/* In front of the result, and behind it too where it would have left the screen. */
static void add_summary(const struct gput_usage *u, char **text)
{
    char *summary, *both;
    int n, rows = terminal_height();

    if (gput_usage_summary(u, terminal_width(80), terminal_has_utf8(), &summary) < 0)
        return;
    n = count_lines(summary) + 1 + count_lines(*text);
    if (asprintf(&both, "%s\n%s%s%s", summary, *text, rows <= n ? "\n" : "",
                 rows <= n ? summary : "") >= 0) {
        free(*text);
        *text = both;
    }
    free(summary);
}

struct gput_tracker *result_write(const struct options *o, const struct output *output,
                                  struct gput_tracker *t, const struct gput_usage *u)
{
    char *text = NULL;
    int r = gput_usage_format(u, o->format, o->full, &text);

    if (r < 0) {
        say("the figures are lost: %s", strerror(-r));
        return t;
    }
    if (is_on_terminal(o, output))
        add_summary(u, &text);
    if (output_may_block(output)) /* `u` has texts of the tracker's */
        t = gput_tracker_close(t);
    r = output_finish(output, text);
    if (r == -EPIPE && o->quiet) {
        /* Its reader has seen enough. */
    } else if (r < 0) {
        say("cannot write the result to %s: %s; here it is:", output->name, output_why(r));
        (void)write_all(STDERR_FILENO, text, strlen(text));
    }
    free(text);
    return t;
}
