/* serve.c - `gpu-tracker serve`: the live page of a running job, or the report of a finished run. */
#include "commands/commands.h"
#include "commands/open_page.h"
#include "gput.h"
#include "output/exit_codes.h"
#include "output/say.h"
#include "top/source.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct serve {
    struct given given;
    const char *listen;
    bool wants_browser, no_redact;
};

const struct option_def serve_options[] = {
    { "listen", "<address:port>",
      "Where; without it any free port on loopback. ':9401' is on loopback, '0.0.0.0:9401' for others too.",
      .letter = 'l', .kind = KIND_TEXT, AT(struct serve, listen), .key = "serve" },
    { "open", NULL, "Open the page in a browser: $BROWSER, else xdg-open.",
      AT(struct serve, wants_browser) },
    { "no-redact", NULL, "Leave passwords, tokens and the like in the command.",
      AT(struct serve, no_redact) },
    { .name = NULL },
};

static int say_error(const struct serve *s, const struct gput_error *error, int r)
{
    int id = error->field[0] ? option_by_key(s->given.options, error->field) : -1;
    const char *text = error->text[0] ? error->text : strerror(-r);
    char label[LABEL_SIZE];

    if (id >= 0)
        say("serve: %s: %s", option_label(&s->given, id, label), text);
    else
        say("serve: %s", text);
    return id >= 0 ? EXIT_USAGE : EXIT_FAILED;
}

/* Serves until it is over; of a finished report, until somebody ends us. */
static int serve(const struct serve *s, struct gput_page_options *o)
{
    struct gput_error error = { .field = "" };
    struct gput_page *page = NULL;
    int r;

    o->listen = s->listen;
    o->no_redact = s->no_redact;
    r = gput_page_open(o, &page, &error);
    if (r < 0)
        return say_error(s, &error, r);
    say_bare("%s: %s", o->html ? "Report" : "Live page", gput_page_url(page));
    if (s->wants_browser)
        (void)open_page("serve: ", gput_page_url(page)); /* the link is there all the same */
    r = gput_page_run(page);
    gput_page_close(page);
    if (r < 0)
        say("serve: %s", strerror(-r));
    return r < 0 ? EXIT_FAILED : 0;
}

static int make_report(const struct serve *s, char **files, char **ret_html)
{
    struct gput_report_options o = GPUT_REPORT_OPTIONS_INIT;
    struct gput_error error = { .text = "" };
    const char *const paths[] = { files[0], files[1] };
    struct gput_fleet *fleet = NULL;
    int r;

    o.file = files[0];
    o.result_file = files[1]; /* NULL behind the last */
    o.no_redact = s->no_redact;
    o.on.warn = say_warning;
    if (gput_fleet_is(files[0])) {
        r = gput_fleet_read(paths, paths[1] ? 2 : 1, NULL, NULL, &fleet, &error);
        r = r < 0 ? r : gput_fleet_html(fleet, NULL, ret_html, &error);
        gput_fleet_close(fleet);
    } else {
        r = gput_report_html(&o, ret_html, &error);
    }
    if (r < 0)
        say("serve: %s", error.text[0] ? error.text : strerror(-r));
    return r == 0 ? 0 : r == -EINVAL ? EXIT_USAGE : EXIT_FAILED;
}

static int serve_files(const struct serve *s, char **files)
{
    struct gput_page_options o = GPUT_PAGE_OPTIONS_INIT;
    char *html = NULL;
    int status = make_report(s, files, &html);

    o.html = html;
    if (status == 0)
        status = serve(s, &o);
    free(html);
    return status;
}

/* `pid` 0: the job that was started last. */
static int serve_running(const struct serve *s, pid_t pid)
{
    struct gput_page_options o = GPUT_PAGE_OPTIONS_INIT;
    struct top_source source = { .who = "serve" };
    struct gput_running *all = NULL;
    int n, status;

    if (pid) {
        status = top_source_open_pid(&source, pid);
    } else {
        status = top_source_list("serve", &all, &n);
        if (status == 0) {
            status = top_source_open(&source, &all[0]);
            free(all);
        }
    }
    o.tracker = source.run.tracker;
    if (status == 0)
        status = serve(s, &o);
    top_source_close(&source);
    return status;
}

/* false: it names a file. */
static bool is_pid(const char *word, pid_t *ret)
{
    char *end;
    long pid = strtol(word, &end, 10);

    if (end == word || *end || pid < 1 || pid > 0x7fffffff)
        return false;
    *ret = (pid_t)pid;
    return true;
}

int command_serve(const struct command *command, int argc, char **argv)
{
    struct serve s = { .listen = NULL };
    int at = command_parse(command, &s.given, argc, argv);
    pid_t pid = 0;

    if (at < 0)
        return EXIT_USAGE;
    if (at == argc || (argc - at == 1 && is_pid(argv[at], &pid)))
        return serve_running(&s, pid);
    if (argc - at > 2) {
        say("serve: at most two files: a tracking file and a result");
        return EXIT_USAGE;
    }
    return serve_files(&s, argv + at);
}
