/* result.c - the end of a run: what is said, the result, the exit status. */
#include "result.h"

#include "exit_codes.h"
#include "write.h"

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_NAMED = 8 }; /* descendants that are named */

int result_status(const struct options *o, const struct gput_usage *u)
{
    if (u->job.timed_out)
        return EXIT_TIMED_OUT;
    if (u->job.ending == GPUT_EXITED)
        return u->job.code;
    if (u->job.ending == GPUT_SIGNALED)
        return EXIT_SIGNAL_BASE + u->job.code;
    /* Of a process that was there before nobody but its parent knows more. */
    return o->pid && u->job.ending != GPUT_RUNNING ? 0 : EXIT_TRACKER_FAILED;
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

void result_say(const struct options *o, const struct gput_tracker *t, const struct gput_usage *u)
{
    if (u->job.timed_out)
        say("the job was ended: it ran past --timeout=%g", o->timeout);
    say_killed_for_memory(o, u);
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
                 result_status(o, u));
}

struct gput_tracker *result_write(const struct options *o, const struct output *output,
                                  struct gput_tracker *t, const struct gput_usage *u)
{
    char *text = NULL;
    int r = gput_usage_format(u, option_format(o), o->full, &text);

    if (r < 0) {
        say("the figures are lost: %s", strerror(-r));
        return t;
    }
    if (output_may_block(output))
        t = gput_tracker_close(t);
    r = output_finish(output, text);
    if (r < 0) {
        say("cannot write the result to %s: %s; here it is:", output->name, output_why(r));
        (void)write_all(STDERR_FILENO, text, strlen(text));
    }
    free(text);
    return t;
}
