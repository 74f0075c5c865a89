/* top.c - `gpu-tracker top`: watches a running job. */
#include "commands/commands.h"
#include "gput.h"
#include "output/exit_codes.h"
#include "output/say.h"
#include "terminal/terminal.h"
#include "top/fleet/fleet_plain.h"
#include "top/fleet/fleet_screen.h"
#include "top/plain.h"
#include "top/screen.h"
#include "top/shared/window.h"

#include <stdlib.h>
#include <string.h>

struct top {
    struct given given;
    double interval;
    int count;
    bool is_plain, is_all;
};

const struct option_def top_options[] = {
    { "all", NULL, "Show all jobs of this user, or of the folder, one behind the other.",
      .letter = 'a', AT(struct top, is_all) },
    { "interval", "<seconds>",
      "Seconds from page to page, 1 by default, with --plain or a folder 5.", .letter = 'i',
      .kind = KIND_SECONDS, .max = 1e6, AT(struct top, interval) },
    { "count", "<pages>", "End after so many pages.", .letter = 'n', .kind = KIND_COUNT, .min = 1,
      AT(struct top, count) },
    { "plain", NULL, "Print a page of text each time, for screen readers, logs and pipes.",
      .letter = 'p', AT(struct top, is_plain) },
    { .name = NULL },
};

static const double plain_interval = 5, screen_interval = 1;
static const int width_of_a_pipe = 120;

static struct top_pages pages_of(const struct top *t)
{
    return (struct top_pages){ .interval = t->interval > 0 ? t->interval : plain_interval,
                               .count = t->count,
                               .width = terminal_width(width_of_a_pipe) };
}

/* Else pages are printed. */
static bool has_screen(const struct top *t)
{
    const char *why = NULL;

    if (!t->is_plain && !t->count && top_screen_begin(&why) == 0)
        return true;
    if (why && !t->is_plain)
        say("top: %s; these are pages, as --plain prints them", why);
    return false;
}

static int show(const struct top *t, struct top_source *sources, int n)
{
    struct top_pages p = pages_of(t);

    if (has_screen(t))
        return top_screen(sources, n, t->interval > 0 ? t->interval : screen_interval);
    return top_plain(&p, sources, n);
}

static void tell_of_others(const struct gput_running *all, int n)
{
    if (n > 1)
        say_bare("%d other job%s: gpu-tracker top %d, or --all", n - 1, n > 2 ? "s" : "",
                 all[1].tracker);
}

static int show_running(const struct top *t)
{
    struct gput_running *all = NULL;
    struct top_source *sources;
    int n, n_shown, status = top_source_list("top", &all, &n);

    if (status)
        return status;
    n_shown = t->is_all ? n : 1;
    if (!t->is_all)
        tell_of_others(all, n);
    sources = calloc((size_t)n_shown, sizeof(*sources));
    if (!sources)
        status = EXIT_FAILED;
    for (int i = 0; i < n_shown && status == 0; i++) {
        sources[i].who = "top";
        status = top_source_open(&sources[i], &all[i]);
    }
    if (status == 0)
        status = show(t, sources, n_shown);
    for (int i = 0; sources && i < n_shown; i++)
        top_source_close(&sources[i]);
    free(sources);
    free(all);
    return status;
}

static int show_fleet(const struct top *t, const char *folder)
{
    struct top_fleet fleet = { .folder = folder };
    struct top_pages p = pages_of(t);
    int status;

    status = has_screen(t) ? top_fleet_screen(&fleet, p.interval)
                           : top_fleet_plain(&p, &fleet, t->is_all);
    top_fleet_close(&fleet);
    return status;
}

static int show_process(const struct top *t, const char *word)
{
    struct top_source source = { .who = "top" };
    char *end;
    long pid = strtol(word, &end, 10);
    int status;

    if (end == word || *end || pid < 1 || pid > 0x7fffffff) {
        if ((end == word || *end) && gput_fleet_is(word))
            return show_fleet(t, word);
        say("top: '%s' is neither a process id nor the folder of a fleet (that of --fleet)", word);
        return EXIT_USAGE;
    }
    if (t->is_all) {
        say("top: --all takes no process id");
        return EXIT_USAGE;
    }
    status = top_source_open_pid(&source, (pid_t)pid);
    if (status == 0)
        status = show(t, &source, 1);
    top_source_close(&source);
    return status;
}

int command_top(const struct command *command, int argc, char **argv)
{
    struct top t = { .count = 0 };
    int at = command_parse(command, &t.given, argc, argv);

    if (at < 0)
        return EXIT_USAGE;
    if (argc - at > 1) {
        say("top: at most one process id or folder");
        return EXIT_USAGE;
    }
    return argc > at ? show_process(&t, argv[at]) : show_running(&t);
}
