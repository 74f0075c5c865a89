/* ending.c - how a job ended, in words. */
#include "report/text/ending.h"

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>

#include "report/text/amount.h"

/* Those that end jobs; names of others are left out. */
static const struct {
    int number;
    const char *name;
} signals[] = {
    { SIGHUP, "SIGHUP" },   { SIGINT, "SIGINT" },   { SIGQUIT, "SIGQUIT" }, { SIGILL, "SIGILL" },
    { SIGTRAP, "SIGTRAP" }, { SIGABRT, "SIGABRT" }, { SIGBUS, "SIGBUS" },   { SIGFPE, "SIGFPE" },
    { SIGKILL, "SIGKILL" }, { SIGUSR1, "SIGUSR1" }, { SIGSEGV, "SIGSEGV" }, { SIGUSR2, "SIGUSR2" },
    { SIGPIPE, "SIGPIPE" }, { SIGALRM, "SIGALRM" }, { SIGTERM, "SIGTERM" }, { SIGXCPU, "SIGXCPU" },
    { SIGXFSZ, "SIGXFSZ" }, { SIGSYS, "SIGSYS" },
};

static const char *name_of_signal(int number)
{
    for (size_t i = 0; i < sizeof(signals) / sizeof(*signals); i++)
        if (signals[i].number == number)
            return signals[i].name;
    return NULL;
}

static void signal_in_words(int number, struct gput__advice *ret)
{
    const char *name = name_of_signal(number);

    snprintf(ret->what, sizeof(ret->what), "Killed by signal %d%s%s%s", number, name ? " (" : "",
             name ? name : "", name ? ")" : "");
}

/* Main itself, or a child whose end it passed on. */
static bool is_main_killed(const struct gput_usage *u)
{
    return (u->job.ending == GPUT_SIGNALED && u->job.code == SIGKILL) ||
           (u->job.ending == GPUT_EXITED && u->job.code == 128 + SIGKILL);
}

/* At which limit, where one is known. */
static void killed_in_words(const struct gput_usage *u, struct gput__advice *ret)
{
    const struct gput_figure *limit = u->limits.memory_effective.source != GPUT_UNAVAILABLE
                                          ? &u->limits.memory_effective
                                          : &u->max_ram.system_capacity;
    const char *who[2][2] = { { "A process was probably killed", "A process was killed" },
                              { "Probably killed", "Killed" } };
    bool is_known = limit->source != GPUT_UNAVAILABLE;
    char bytes[GPUT__AMOUNT_SIZE];

    snprintf(ret->what, sizeof(ret->what), "%s for memory%s%s",
             who[is_main_killed(u)][u->job.oom == GPUT_OOM_YES],
             is_known ? " at the limit of " : "",
             is_known ? gput__amount_bytes(limit->value, bytes) : "");
}

/* A file of records alone has no word on it. */
static bool is_untold(const struct gput__run *run)
{
    return run->source && run->usage.job.ending == GPUT_GONE && run->usage.job.pid == 0;
}

static void other_end_in_words(const struct gput__run *run, struct gput__advice *ret)
{
    static const char *const words[] = {
        [GPUT_RUNNING] = "How it ended is not known",
        [GPUT_EXITED] = "Finished",
        [GPUT_SIGNALED] = "Killed",
        [GPUT_GONE] = "Ended",
        [GPUT_DETACHED] = "Still running",
    };

    enum gput_ending ending = is_untold(run) ? GPUT_RUNNING : run->usage.job.ending;

    ret->tone = ending == GPUT_EXITED ? GPUT__TONE_GOOD : GPUT__TONE_NEUTRAL;
    if (ending == GPUT_RUNNING && !run->source)
        snprintf(ret->what, sizeof(ret->what), "Running");
    else
        snprintf(ret->what, sizeof(ret->what), "%s", words[ending]);
}

static void timeout_in_words(const struct gput_usage *u, struct gput__advice *ret)
{
    char time[GPUT__AMOUNT_SIZE];

    if (u->compute_time.time.source == GPUT_UNAVAILABLE)
        snprintf(ret->what, sizeof(ret->what), "Ended for its time limit");
    else
        snprintf(ret->what, sizeof(ret->what), "Ended for its time limit after %s",
                 gput__amount_seconds(u->compute_time.time.value, time));
}

void gput__ending_in_words(const struct gput__run *run, struct gput__advice *ret)
{
    const struct gput_usage *u = &run->usage;

    *ret = (struct gput__advice){ .id = "ending", .tone = GPUT__TONE_BAD };
    if (u->job.timed_out)
        timeout_in_words(u, ret);
    else if (u->job.oom != GPUT_OOM_NO)
        killed_in_words(u, ret);
    else if (u->job.ending == GPUT_SIGNALED)
        signal_in_words(u->job.code, ret);
    else if (u->job.ending == GPUT_EXITED && u->job.code != 0)
        snprintf(ret->what, sizeof(ret->what), "Failed with exit code %d", u->job.code);
    else
        other_end_in_words(run, ret);
}

void gput__ending_in_short(const struct gput_usage *u, char ret[GPUT__ENDING_SIZE])
{
    const char *signal_name = name_of_signal(u->job.code);

    ret[0] = '\0';
    if (u->job.timed_out)
        snprintf(ret, GPUT__ENDING_SIZE, "ended for its time limit");
    else if (u->job.oom != GPUT_OOM_NO)
        snprintf(ret, GPUT__ENDING_SIZE, "%s%skilled for memory",
                 is_main_killed(u) ? "" : "a process was ",
                 u->job.oom == GPUT_OOM_PROBABLY ? "probably " : "");
    else if (u->job.ending == GPUT_EXITED)
        snprintf(ret, GPUT__ENDING_SIZE, "exited with %d", u->job.code);
    else if (u->job.ending == GPUT_SIGNALED && signal_name)
        snprintf(ret, GPUT__ENDING_SIZE, "killed by %s", signal_name);
    else if (u->job.ending == GPUT_SIGNALED)
        snprintf(ret, GPUT__ENDING_SIZE, "killed by signal %d", u->job.code);
    else if (u->job.ending == GPUT_RUNNING || u->job.ending == GPUT_DETACHED)
        snprintf(ret, GPUT__ENDING_SIZE, "still running");
}
