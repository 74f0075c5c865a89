/* history.c - `gpu-tracker history`: the runs that were kept by --history. */
#include "commands/commands.h"
#include "compare/ages.h"
#include "gput.h"
#include "output/exit_codes.h"
#include "output/output.h"
#include "output/say.h"
#include "output/write.h"
#include "terminal/terminal.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LIMIT = 20, NARROW = 110 };

const char *const history_words[] = { "list", "show", "trend", "prune", NULL };
enum { LIST, SHOW, TREND, PRUNE };

struct history {
    struct given given;
    const char *file, *page;
    struct gput_history_query q;
    int limit, keep; /* -1: not given */
    double older_than;
};

static int set_since(void *values, const char *text, struct refusal *ret_why)
{
    return moment_parse(text, &((struct history *)values)->q.since, ret_why);
}

static int set_older_than(void *values, const char *text, struct refusal *ret_why)
{
    return age_parse(text, &((struct history *)values)->older_than, ret_why);
}

#define KEEP(member) AT(struct history, member)
const struct option_def history_options[] = {
    { "history", "<file>",
      "The history; without it that of GPUT_HISTORY, else gpu-tracker/history.sqlite below "
      "XDG_STATE_HOME.",
      .kind = KIND_FILE, KEEP(file) },
    { "job-name", "<name>", "Only runs of this name.", .kind = KIND_TEXT, KEEP(q.job_name) },
    { "command", "<text>", "Only runs whose command has this in it.", .kind = KIND_TEXT,
      KEEP(q.command) },
    { "tag", "<key=value>", "Only runs with this tag.", .kind = KIND_TEXT, KEEP(q.tag) },
    { "since", "<time>",
      "Only runs that began since then: an age such as 12h, 7d or 4w, or a date such as 2026-11-01.",
      .kind = KIND_OWN, .set = set_since },
    { "limit", "<number>", "The newest so many, 20 by default (of trend: all); 0: all.",
      .letter = 'n', .kind = KIND_COUNT, KEEP(limit) },
    { "figure", "<name>", "Of trend: only this figure, by its short name: ram, cpu, time ...",
      .kind = KIND_TEXT, KEEP(q.figure) },
    { "report", "<page>",
      "Of trend: write it as one HTML page that needs nothing else, with charts, to this file.",
      .kind = KIND_FILE, KEEP(page) },
    { "older-than", "<age>", "Of prune: remove the runs that began longer ago: 90d.",
      .kind = KIND_OWN, .set = set_older_than },
    { "keep", "<number>", "Of prune: keep only the newest so many.", .kind = KIND_COUNT, .min = 1,
      KEEP(keep) },
    FORMAT_OPTION(struct history, q.format, "Format, 'text' by default."),
    { .name = NULL },
};

static int prune(const struct history *h)
{
    struct gput_error err;
    int64_t n = 0;

    if (!(h->older_than > 0) && h->keep < 0) {
        say("history: prune needs --older-than or --keep");
        return EXIT_USAGE;
    }
    if (gput_history_prune(h->file, h->older_than, h->keep < 0 ? 0 : h->keep, &n, &err) < 0) {
        say("history: %s", err.text);
        return EXIT_FAILED;
    }
    printf("%lld run%s removed\n", (long long)n, n == 1 ? "" : "s");
    return 0;
}

static int write_page(const struct history *h)
{
    struct output output = { .fd = -1 };
    struct gput_error err;
    struct refusal why;
    char label[LABEL_SIZE], *html = NULL;
    int r;

    if (output_prepare(option_label_named(&h->given, "report", label), h->page, &output, &why) <
        0) {
        say("history: %s", why.text);
        output_free(&output);
        return EXIT_USAGE;
    }
    r = gput_history_page(h->file, &h->q, &html, &err);
    if (r < 0)
        say("history: %s", err.text);
    else if ((r = output_finish(&output, html)) < 0)
        say("history: cannot write '%s': %s", output.name, output_why(r));
    free(html);
    output_free(&output);
    return r < 0 ? EXIT_FAILED : 0;
}

static int run_word(struct history *h, int word)
{
    struct gput_error err;
    char *text = NULL;
    int limit = word == LIST ? LIMIT : 0, r;

    h->q.limit = h->limit < 0 ? limit : h->limit;
    h->q.use_unicode = terminal_has_utf8();
    h->q.width = terminal_width(80) < NARROW ? 20 : 40;
    if (word == PRUNE)
        return prune(h);
    if (h->page)
        return write_page(h);
    r = word == TREND ? gput_history_trend(h->file, &h->q, &text, &err)
                      : gput_history_list(h->file, &h->q, &text, &err);
    return print_text("history", r, text, &err);
}

/* The options that go with one word alone. */
static int refuse_foreign(const struct history *h, int word)
{
    static const struct {
        const char *option;
        int word;
    } own[] = {
        { "figure", TREND }, { "report", TREND }, { "older-than", PRUNE }, { "keep", PRUNE }
    };

    for (size_t i = 0; i < sizeof(own) / sizeof(*own); i++)
        if (h->given.origin[option_by_name(history_options, own[i].option)] &&
            word != own[i].word) {
            say("history: --%s goes with '%s'", own[i].option, history_words[own[i].word]);
            return -EINVAL;
        }
    return 0;
}

static int find_word(const char *word)
{
    for (int i = 0; history_words[i]; i++)
        if (strcmp(history_words[i], word) == 0)
            return i;
    return -1;
}

int command_history(const struct command *command, int argc, char **argv)
{
    struct history h = { .q = GPUT_HISTORY_QUERY_INIT, .limit = -1, .keep = -1 };
    int at = command_parse(command, &h.given, argc, argv), word = LIST;

    if (at < 0)
        return EXIT_USAGE;
    if (at < argc)
        word = find_word(argv[at]);
    else if (h.page)
        word = TREND; /* what it draws */
    if (word < 0) {
        say("history: '%s' is not one of: list, show, trend, prune", argv[at]);
        return EXIT_USAGE;
    }
    if (argc - at - 1 > (word == SHOW) || (word == SHOW && argc - at < 2)) {
        say(word == SHOW ? "history: show needs one run: its number, or the beginning of its id"
                         : "history: there are too many words");
        return EXIT_USAGE;
    }
    h.q.run = word == SHOW ? argv[at + 1] : NULL;
    return refuse_foreign(&h, word) < 0 ? EXIT_USAGE : run_word(&h, word);
}
